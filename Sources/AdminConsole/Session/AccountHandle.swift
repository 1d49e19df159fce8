import AuthCore
import LuaRuntime
import NIOConcurrencyHelpers

/// An account as a script holds it: read again after each write and each input.
final class AccountHandle: Sendable {
  let id: AccountID
  private let seen: NIOLockedValueBox<(account: Account, epoch: Int)>

  init(_ account: Account, epoch: Int) {
    id = account.id
    seen = NIOLockedValueBox((account, epoch))
  }

  func account(_ session: ConsoleSession) throws -> Account {
    let epoch = session.epoch
    let known = seen.withLockedValue { $0 }
    if known.epoch == epoch { return known.account }
    let id = id
    guard let fresh = try session.wait({ try await $0.account(id, in: $1) }) else {
      throw AuthError(
        .userNotFound, "The account \(id) does not exist any more.", field: "uid",
        remedy: "Look it up with accounts.find.")
    }
    seen.withLockedValue { $0 = (fresh, epoch) }
    return fresh
  }

  /// The account as it is, or as it was last seen where it is gone; for printing, which never fails.
  func current(_ session: ConsoleSession) -> Account {
    (try? account(session)) ?? seen.withLockedValue { $0.account }
  }
}

extension ConsoleSession {
  func object(_ account: Account) -> LuaValue {
    .object(LuaObject(type: "account", value: AccountHandle(account, epoch: epoch)))
  }

  /// The account that an argument means: an account value, a uid, an e-mail address or a phone number.
  func account(_ call: LuaCall, _ index: Int, _ name: String = "account") throws -> Account {
    guard call.typeName(index) != "string" else {
      return try account(matching: try call.string(index, name))
    }
    return try call.object(index, as: AccountHandle.self, type: "account").account(self)
  }

  func account(matching key: String) throws -> Account {
    guard let account = try wait({ try await $0.account(matching: key, in: $1) }) else {
      throw AuthError(
        .userNotFound, "There is no account \"\(key)\".", field: "account",
        remedy: "Look it up with accounts.find.")
    }
    return account
  }
}
