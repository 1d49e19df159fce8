import AuthCore
import AuthTesting
import TestSupport

/// The two behaviours of the rules, as an argument of tests.
enum Behavior: String, CaseIterable, Sendable {
  case production, emulator

  var linking: EmulatorQuirks { self == .emulator ? .emulator : .production }
  var home: TestHome { TestHome(behavior: linking) }
}

extension TestHome {
  /// Imports an account as an admin, and advances the clock by a minute.
  func bring(_ id: String, _ fill: (inout Account) throws -> Void) async throws -> Account {
    var account = Account(id: AccountID(id), scope: scope, createdAt: clock.now)
    try fill(&account)
    let outcomes = try await graph.importRecords(
      [ImportedAccount(account: account, line: 0)], overwriting: false, by: admin)
    guard outcomes == [.imported] else { throw Failed(description: "import: \(outcomes)") }
    clock.advance(seconds: 60)
    return try await self.account(account.id)
  }

  /// Makes a credential with a complete profile.
  func vendor(
    _ subject: String, email: String?, verified: Bool = false, name: String? = nil,
    provider: ProviderID = other
  ) throws -> Credential {
    var fields = ["subject": subject, "emailVerified": "\(verified)"]
    fields["email"] = email
    fields["displayName"] = name
    fields["screenName"] = name.map { "@\($0)" }
    fields["language"] = name == nil ? nil : "en"
    fields["dateOfBirth"] = name == nil ? nil : "1815-12-10"
    return try graph.providers.credential(provider, fields)
  }

  /// Enables e-mail links, and sends one; returns the reader's credential.
  func emailLink(_ email: String, for account: AccountID? = nil) async throws -> Credential {
    _ = try await graph.configure(
      .emailLink, values: ["linkBase": "https://app.example/link"], by: admin)
    let caller = account.map { session($0) } ?? anyone
    _ = try await graph.sendChallenge(
      .emailLink, ChallengeRequest(recipient: email, account: account), by: caller)
    let proof = try messages.last(to: email).unwrapped("link").proof
    return try graph.providers.credential(.emailLink, ["email": email, "link": proof.reveal()])
  }

  /// Sends a code to a number, and returns the reader's credential.
  func phone(_ number: String) async throws -> Credential {
    let sent = try await graph.sendChallenge(
      .phone, ChallengeRequest(recipient: number), by: anyone)
    return try graph.providers.credential(
      .phone,
      [
        "verificationID": sent.verificationID,
        "verificationCode": try sentCode(number).reveal(),
      ])
  }
}
