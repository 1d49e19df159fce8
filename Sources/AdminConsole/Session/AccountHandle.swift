import AuthCore
import LuaRuntime
import NIOConcurrencyHelpers
import TerminalOutput

/// An account as a script holds it: its uid and its owner, with the fields as they were last read.
///
/// It is read again after each write and each input. It never represents another account: after a merge or a deletion,
/// reads of its fields and writes are refused. If another owner has the uid, writes are refused.
final class AccountHandle: Sendable {
  let held: HeldAccount
  private let seen: NIOLockedValueBox<(standing: AccountStanding, reading: ConsoleSession.Reading)>

  var id: AccountID { held.id }

  /// The identity of the script's object: the uid and its owner.
  var identity: String { held.ownership.map { "\(held.id)\0\($0.mark)" } ?? held.id.rawValue }

  init(_ account: Account, read reading: ConsoleSession.Reading) {
    held = HeldAccount(account)
    seen = NIOLockedValueBox((.there(account), reading))
  }

  /// Returns the current standing of the account.
  func standing(_ session: ConsoleSession) throws -> AccountStanding {
    let reading = session.reading
    let known = seen.withLockedValue { $0 }
    if known.reading == reading { return known.standing }
    let held = held
    let standing = try session.wait { try await $0.standing(of: held, in: $1) }
    seen.withLockedValue { $0 = (standing, reading) }
    return standing
  }

  /// Returns the account that has the uid now; throws if it was merged or deleted.
  func account(_ session: ConsoleSession) throws -> Account {
    let standing = try standing(session)
    if let account = standing.account { return account }
    throw standing.refusal(of: id) ?? .noAccount(id.rawValue)
  }

  /// Returns the account as it is now; throws also if the uid has another owner.
  func ownAccount(_ session: ConsoleSession) throws -> Account {
    let standing = try standing(session)
    if let refusal = standing.refusal(of: id) { throw refusal }
    return try account(session)
  }

  /// Returns the account as a block of its fields; if it was deleted, by whom and how to restore it.
  func block(_ session: ConsoleSession) -> KeyValueBlock {
    let (standing, id, zone) = (current(session), id, session.output.profile.zone)
    guard case .deleted = standing else { return standing.block(of: id, nil, in: zone) }
    let deletion = try? session.wait { try await $0.deletion(of: id, in: $1) }
    return standing.block(of: id, deletion, in: zone)
  }

  /// Returns the current standing, or the last known one if the store cannot be read.
  ///
  /// For printing, which never fails.
  func current(_ session: ConsoleSession) -> AccountStanding {
    (try? standing(session)) ?? seen.withLockedValue { $0.standing }
  }
}

extension ConsoleSession {
  /// Returns the script's object for an account that was read just now.
  func object(_ account: Account) -> LuaValue { object(account, read: reading) }

  /// Returns the script's object for an account that was read earlier.
  func object(_ account: Account, read reading: Reading) -> LuaValue {
    let handle = AccountHandle(account, read: reading)
    return .object(LuaObject(type: "account", value: handle, identity: handle.identity))
  }

  /// Returns the account that an argument means: an account value, a uid, an e-mail address or a phone number.
  func account(_ call: LuaCall, _ index: Int, _ name: String = "account") throws -> Account {
    guard call.typeName(index) != "string" else {
      return try account(matching: try call.string(index, name))
    }
    return try call.object(index, as: AccountHandle.self, type: "account").account(self)
  }

  func account(matching key: String) throws -> Account {
    guard let account = try wait({ try await $0.account(matching: key, in: $1) }) else {
      throw AuthError.noAccount(key)
    }
    return account
  }
}

extension AuthError {
  fileprivate static func noAccount(_ key: String) -> AuthError {
    AuthError(
      .userNotFound, "There is no account \"\(key)\".", field: "account",
      remedy: "Look it up with accounts.find.")
  }
}
