/// An account as its holder read it: the uid, and who owned it then.
///
/// A uid alone is not enough for a program that reads an account now and writes to it later. Meanwhile the account may be
/// merged into another one, which its uid then leads to, or be deleted and made anew for another person.
public struct HeldAccount: Hashable, Sendable {
  public let id: AccountID
  public let ownership: Ownership?

  public init(_ account: Account) {
    id = account.id
    ownership = account.ownership
  }

  /// What became of the account, of which its uid now leads to this one.
  func standing(_ resolved: Account?) -> AccountStanding {
    guard let resolved else { return .deleted }
    guard resolved.id == id else { return .merged(into: resolved.id) }
    return resolved.ownership == ownership ? .there(resolved) : .replaced(by: resolved)
  }
}

/// What became of an account since it was read.
public enum AccountStanding: Hashable, Sendable {
  /// It is there, as it is now.
  case there(Account)
  /// It was absorbed; its uid leads to the survivor.
  case merged(into: AccountID)
  case deleted
  /// Its uid is another owner's account: it was deleted and made anew, or taken over.
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

  /// Why nothing may be written to the account any more; nil while it is there.
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
  /// The refusal of a change that names an absorbed uid.
  ///
  /// A change of the survivor has to be meant.
  package static func wasMerged(_ id: AccountID, into survivor: AccountID) -> AuthError {
    AuthError(
      .invalidArgument, "\(id) was merged into \(survivor).", field: "uid",
      remedy: "Name \(survivor) if it is meant, or undo the merge first.", step: .decision)
  }
}

extension AccountGraph {
  /// What became of an account since it was read.
  public func standing(of held: HeldAccount, in scope: Scope) async throws -> AccountStanding {
    try await store.read(from: .replica) { held.standing(try $0.resolved(held.id, in: scope)) }
  }

  /// Throws where one of the caller's accounts is not what the caller read, before anything reaches beyond the store.
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
  /// The first account that is not what the caller read, and why it may not be changed; nil if all of them are.
  func refusal(of holds: [HeldAccount]) -> (id: AccountID, error: AuthError)? {
    for held in holds {
      let standing = held.standing(accounts(.uid(held.id)).first)
      if let error = standing.refusal(of: held.id) { return (held.id, error) }
    }
    return nil
  }
}
