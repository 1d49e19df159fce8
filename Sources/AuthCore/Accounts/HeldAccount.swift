/// An account as a caller read it: the uid and its owner at that time.
///
/// A uid alone is not enough for a program that reads an account now and writes to it later. In between, the account
/// may be merged, so that its uid leads to the survivor, or be deleted and created anew for another person.
public struct HeldAccount: Hashable, Sendable {
  /// The uid that was read.
  public let id: AccountID
  /// The mark of the owner when the account was read.
  public let ownership: Ownership?

  /// Notes the uid and owner of an account.
  public init(_ account: Account) {
    id = account.id
    ownership = account.ownership
  }

  /// Returns the present state of the account, from the account that its uid now leads to.
  func standing(_ resolved: Account?) -> AccountStanding {
    guard let resolved else { return .deleted }
    guard resolved.id == id else { return .merged(into: resolved.id) }
    return resolved.ownership == ownership ? .there(resolved) : .replaced(by: resolved)
  }
}

/// The state of an account since it was read.
public enum AccountStanding: Hashable, Sendable {
  /// The account exists, as it is now.
  case there(Account)
  /// The account was absorbed; its uid leads to the survivor.
  case merged(into: AccountID)
  /// The account was deleted.
  case deleted
  /// The uid has another owner now: the account was taken over, or deleted and created anew.
  case replaced(by: Account)
}

extension AccountStanding {
  /// The account that has the uid now; nil if it was merged or deleted.
  public var account: Account? {
    switch self {
    case .there(let account), .replaced(let account): account
    case .merged, .deleted: nil
    }
  }

  /// Returns the error for a write to an account that is no longer there; nil while it is.
  public func refusal(of id: AccountID) -> AuthError? {
    switch self {
    case .there: nil
    case .merged(let survivor): .wasMerged(id, into: survivor)
    case .deleted:
      AuthError(
        .userNotFound, "The account \(id) does not exist any more.", field: "uid",
        remedy: "Look it up with accounts.find.", step: .decision)
    case .replaced:
      AuthError(
        .invalidArgument,
        "\(id) was deleted and made anew since it was read, or taken over by another owner.",
        field: "uid", remedy: "Read it again with accounts.get.", step: .decision)
    }
  }
}

extension AuthError {
  /// Returns the error for a change that names an absorbed uid.
  ///
  /// The caller has to name the survivor explicitly.
  package static func wasMerged(_ id: AccountID, into survivor: AccountID) -> AuthError {
    AuthError(
      .invalidArgument, "\(id) was merged into \(survivor).", field: "uid",
      remedy: "Name \(survivor) if it is meant, or undo the merge first.", step: .decision)
  }
}

extension AccountGraph {
  /// Returns the state of an account since it was read.
  public func standing(of held: HeldAccount, in scope: Scope) async throws -> AccountStanding {
    try await store.read(from: .replica) { held.standing(try $0.resolved(held.id, in: scope)) }
  }

  /// Throws if one of the caller's accounts is no longer there, before any effect outside the store.
  ///
  /// ``perform(_:load:decide:)`` checks again in its transaction.
  func requireHeld(by caller: Caller) async throws {
    for held in caller.holds {
      if let refusal = try await standing(of: held, in: caller.scope).refusal(of: held.id) {
        throw refusal
      }
    }
  }
}

extension Snapshot {
  /// Returns the first of the caller's accounts that is no longer there, with the refusal; nil if all are.
  func refusal(of holds: [HeldAccount]) -> (id: AccountID, error: AuthError)? {
    for held in holds {
      let standing = held.standing(accounts(.uid(held.id)).first)
      if let error = standing.refusal(of: held.id) { return (held.id, error) }
    }
    return nil
  }
}
