import AuthCore
import IdentityToolkit

extension AccountHandler {
  /// Returns the record of the client's own account, or those that an admin names.
  func lookUp() async throws -> Answer {
    let users = isPrivileged ? try await namedAccounts() : [try await call.signedIn().account]
    return .record(
      UserList(
        kind: "identitytoolkit#GetAccountInfoResponse", users: users.map(call.userRecord),
        leavesOutEmpty: true))
  }

  /// Returns the accounts in the order in which a request names them, each once.
  private func namedAccounts() async throws -> [Account] {
    var found = FoundAccounts()
    for uid in try body.texts("localId") ?? [] {
      found.add(try await graph.account(AccountID(uid), in: scope))
    }
    for text in try body.texts("email") ?? [] {
      guard let email = try? WireFields.email(text) else { continue }
      let sharing = try await accounts(with: email)
      (sharing.filter(\.emailVerified) + sharing).forEach { found.add($0) }
    }
    for text in try body.texts("phoneNumber") ?? [] {
      guard let number = try? PhoneNumber(normalizing: text) else { continue }
      var filter = AccountFilter()
      filter.phoneNumber = number
      try await graph.accounts(matching: filter, limit: 10, in: scope).forEach { found.add($0) }
    }
    for identity in try body.objects("federatedUserId") ?? [] {
      guard let provider = try identity.filled("providerId"),
        let subject = try identity.filled("rawId")
      else { continue }
      var filter = AccountFilter()
      filter.providerID = ProviderID(provider)
      filter.subject = subject
      try await graph.accounts(matching: filter, limit: 10, in: scope).forEach { found.add($0) }
    }
    return found.accounts
  }
}

/// Accounts in the order in which they were found, without duplicates.
private struct FoundAccounts {
  private(set) var accounts: [Account] = []
  private var ids: Set<AccountID> = []

  mutating func add(_ account: Account?) {
    guard let account, ids.insert(account.id).inserted else { return }
    accounts.append(account)
  }
}
