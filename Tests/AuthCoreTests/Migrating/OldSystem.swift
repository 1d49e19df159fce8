import AuthCore
import AuthTesting
import Synchronization
import TestSupport

/// An old system that knows one person, and counts how often it is asked.
final class OldSystem: AuthProvider {
  /// The answer to the right password.
  enum Answer: Sendable {
    case person(email: String?, verified: Bool)
    case failure(AuthError)
  }

  let id = ProviderID("old.example")
  let manifest = ProviderManifest(
    name: "The old shop", kind: .custom,
    builders: [
      CredentialBuilder(PasswordMigration.builderName, fields: PasswordMigration.fields)
    ])
  let asked = Counter()
  private let answer: Mutex<Answer>
  /// Holds the answers, if there is one.
  let gate: Gate?
  private let delay: Duration

  init(
    _ answer: Answer = .person(email: "ada@example.com", verified: false), gate: Gate? = nil,
    delay: Duration = .zero
  ) {
    self.delay = delay
    self.answer = Mutex(answer)
    self.gate = gate
  }

  func answers(_ answer: Answer) { self.answer.withLock { $0 = answer } }

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    asked.next()
    gate?.arrive()
    await gate?.wait()
    try await Task.sleep(for: delay)
    let email = try credential.required("email")
    let isRight = try credential.required("password") == "opensesame"
    switch answer.withLock(\.self) {
    case .failure(let error): throw error
    case .person(let address, let verified):
      guard isRight, email.lowercased() == "ada@example.com" else {
        throw AuthError(.invalidCredential, "No such person.", step: .profile)
      }
      var identity = VerifiedIdentity(
        provider: id, key: IdentityKey(id, subject: "17"),
        profile: IdentityProfile(email: address, displayName: "Ada"), emailVerified: verified)
      identity.email = try address.map { try EmailAddress($0) }
      return identity
    }
  }
}

extension TestHome {
  /// Makes a home with an old system of passwords.
  static func moving(
    from old: OldSystem, hooks: (any SignInHooks)? = nil
  ) async throws -> TestHome {
    let home = TestHome(more: [old], hooks: hooks)
    _ = try await home.graph.changeSettings(by: home.admin) {
      $0.signIn.passwordMigration = "old.example"
    }
    return home
  }

  /// Imports an account whose password the old system has.
  func importWaiting(
    _ uid: String = "u1", verified: Bool = false, change: (inout Account) -> Void = { _ in }
  ) async throws {
    let email = try EmailAddress("ada@example.com")
    var account = Account(id: AccountID(uid), scope: scope, createdAt: clock.now)
    account.email = email
    account.emailVerified = verified
    account.validSince = clock.now
    account.identities = [Identity(key: .password(email), origin: .imported, linkedAt: clock.now)]
    change(&account)
    let outcomes = try await graph.importAccounts(
      [ImportedAccount(account: account, line: 1)], by: admin)
    guard outcomes == [.imported] else { throw Failed(description: "the import: \(outcomes)") }
  }
}
