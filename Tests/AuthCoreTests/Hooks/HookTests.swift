import AuthCore
import AuthTesting
import Synchronization
import Testing
import TestSupport

@Suite struct `The app's hooks in sign-ins` {
  let hooks = ScriptedHooks()
  let home: TestHome

  init() {
    home = TestHome(hooks: hooks)
  }

  @Test func `a new account is asked about twice, and has the answers`() async throws {
    hooks.answer(.beforeCreate) { answer, _ in
      answer.displayName = .set("Ada Lovelace")
      answer.customClaims = .set(try CustomClaims(["role": "editor"]))
      answer.sessionClaims = ["ignored": true]
    }
    hooks.answer(.beforeSignIn) { answer, event in
      #expect(event.account.displayName == "Ada Lovelace")
      answer.emailVerified = true
      answer.photoURL = .set("https://example.com/ada.png")
      answer.sessionClaims = ["trial": true]
    }
    var caller = home.anyone
    caller.client = ClientDescription(address: "192.0.2.1", userAgent: "app/1", locale: "de")
    let result = try await home.graph.signIn(
      home.credential("1", email: "ada@example.com"), by: caller)
    #expect(hooks.events.map(\.kind) == [.beforeCreate, .beforeSignIn])
    let event = try hooks.events.first.unwrapped("event")
    #expect(event.account.id == result.account.id && event.signInMethod == "fake.example")
    #expect(event.client == caller.client && event.scope == home.scope)
    #expect(result.isNewUser && result.account.displayName == "Ada Lovelace")
    #expect(result.account.emailVerified)
    #expect(result.account.photoURL == "https://example.com/ada.png")
    #expect(result.account.customClaims?.members == ["role": "editor"])
    #expect(result.session?.claims == ["trial": true])
    #expect(result.account == (try await home.account(result.account.id)))
    let audit = try await home.graph.event(result.receipt.id, in: home.scope)
    #expect(audit.details["beforeCreate"]?["displayName"] == "Ada Lovelace")
    #expect(audit.details["beforeSignIn"]?["emailVerified"] == true)
    #expect(audit.details["beforeSignIn"]?["sessionClaims"] == ["trial"])

    hooks.forget()
    _ = try await home.signIn(home.credential("1", email: "ada@example.com"))
    #expect(hooks.events.map(\.kind) == [.beforeSignIn])
  }

  @Test func `a rehearsal asks no hook`() async throws {
    hooks.answer(.beforeCreate) { _, _ in
      throw AuthError(.blockingFunctionError, "Not from here.", step: .decision)
    }
    var caller = home.anyone
    caller.dryRun = true
    _ = try await home.graph.signIn(home.credential("1"), by: caller)
    #expect(hooks.events.isEmpty)
    #expect(try await home.everything().isEmpty)
  }

  @Test func `a refusal writes nothing but the audit`() async throws {
    hooks.answer(.beforeCreate) { _, _ in
      throw AuthError(.blockingFunctionError, "Not from here.", step: .decision)
    }
    let error = await expectError(.blockingFunctionError) {
      try await home.signIn(home.credential("1"))
    }
    #expect(try await home.everything().isEmpty)
    let events = try await home.graph.events(limit: 10, in: home.scope)
    #expect(events.map(\.errorCode) == ["blocking-function-error"])
    #expect(error != nil)
    hooks.answer(.beforeCreate) { _, _ in throw Failed(description: "no server") }
    await expectError(.blockingFunctionError) { try await home.signIn(home.credential("1")) }
  }

  @Test func `a disabled account stays stored, and gets no session`() async throws {
    hooks.answer(.beforeSignIn) { answer, _ in answer.disabled = true }
    await expectError(.userDisabled) { try await home.signIn(home.credential("1")) }
    #expect(try await home.everything().map(\.disabled) == [true])
    hooks.forget()
    await expectError(.userDisabled) { try await home.signIn(home.credential("1")) }
    #expect(hooks.events.isEmpty)
  }

  @Test func `claims are checked like an admin's`() async throws {
    hooks.answer(.beforeSignIn) { answer, _ in answer.sessionClaims = ["aud": "other"] }
    await expectError(.reservedClaims) { try await home.signIn(home.credential("1")) }
    hooks.answer(.beforeSignIn) { answer, _ in answer.sessionClaims = ["a", "list"] }
    await expectError(.invalidClaims) { try await home.signIn(home.credential("1")) }
    hooks.answer(.beforeSignIn) { answer, _ in answer.photoURL = .set("javascript:alert(1)") }
    await expectError(.invalidPhotoURL) { try await home.signIn(home.credential("1")) }
    #expect(try await home.everything().isEmpty)
  }

  @Test func `a verified address of another account is not given away`() async throws {
    var changes = ProfileChanges()
    changes.email = .set(try EmailAddress("ada@example.com"))
    changes.emailVerified = true
    _ = try await home.graph.create(changes, by: home.admin)
    _ = try await home.graph.changeSettings(by: home.admin) { $0.oneAccountPerEmail = false }
    let other = try await home.signIn(home.credential("1")).account
    try await home.update(other.id) { $0.email = .set(try EmailAddress("ada@example.com")) }
    // The store would refuse the setting, so the address is freed and taken again around it.
    hooks.answer(.beforeSignIn) { answer, _ in answer.emailVerified = true }
    _ = try await home.graph.changeSettings(by: home.admin) { $0.oneAccountPerEmail = true }
    await expectError(.emailAlreadyInUse) { try await home.signIn(home.credential("1")) }
  }

  @Test func `anonymous sign-ins, admins' calls and renewals ask no hook`() async throws {
    let anonymous = try await home.signIn(home.graph.providers.credential(.anonymous, [:]))
    _ = try await home.graph.signIn(home.credential("1"), by: home.admin)
    var changes = ProfileChanges()
    changes.displayName = .set("Ada")
    _ = try await home.graph.create(changes, by: home.admin)
    _ = try await home.graph.renewSession(
      provider: .anonymous, showing: nil, by: home.session(anonymous.account.id))
    #expect(hooks.events.isEmpty)
  }

  @Test func `an account with a second factor is asked about after it`() async throws {
    let ada = try await home.person("ada")
    let (factor, secret) = try await home.enrollTOTP(ada.id)
    hooks.forget()
    let resolver = try await home.resolver { try await home.signIn(home.credential("ada")) }
    #expect(hooks.events.isEmpty)
    hooks.answer(.beforeSignIn) { answer, _ in answer.sessionClaims = ["asked": true] }
    let result = try await home.graph.resolve(
      resolver, with: .totp(factorID: factor.id, code: home.code(secret)), by: home.anyone)
    #expect(hooks.events.map(\.secondFactor?.id) == [factor.id])
    #expect(result.session?.claims == ["asked": true])
  }

  @Test func `a link is asked about, and so is a sign-up with its way of signing in`() async throws
  {
    let ada = try await home.graph.signUp(
      home.password("ada@example.com", "first-secret"), by: home.anyone
    ).account
    #expect(hooks.events.map(\.signInMethod) == ["password", "password"])
    hooks.forget()
    _ = try await home.graph.linkForSession(
      home.credential("1"), to: ada.id, by: home.session(ada.id))
    #expect(hooks.events.map(\.kind) == [.beforeSignIn])
  }

  @Test func `a decision that changed meanwhile is asked about again`() async throws {
    let home = home
    hooks.answer(.beforeCreate) { _, _ in
      // Another client creates the account while the app is asked.
      _ = try await home.graph.signIn(home.credential("1", name: "First"), by: home.admin)
    }
    let result = try await home.signIn(home.credential("1", name: "Second"))
    #expect(!result.isNewUser)
    #expect(hooks.events.map(\.kind) == [.beforeCreate, .beforeSignIn, .beforeSignIn])
    #expect(try await home.everything().count == 1)
  }

  @Test func `a sign-in whose decision changes each time is given up`() async throws {
    let home = home
    let count = Mutex(0)
    hooks.answer(.beforeSignIn) { _, event in
      let number = count.withLock { value in
        value += 1
        return value
      }
      if number.isMultiple(of: 2) {
        _ = try await home.graph.delete(event.account.id, by: home.admin)
      } else {
        _ = try await home.graph.signIn(home.credential("1"), by: home.admin)
      }
    }
    await expectError(.tooMuchContention) { try await home.signIn(home.credential("1")) }
  }
}

/// Hooks with answers from a test.
final class ScriptedHooks: SignInHooks {
  typealias Script = @Sendable (inout SignInHookAnswer, SignInHookEvent) async throws -> Void

  private struct State {
    var scripts: [SignInHookEvent.Kind: Script] = [:]
    var events: [SignInHookEvent] = []
  }

  private let state = Mutex(State())

  var events: [SignInHookEvent] { state.withLock(\.events) }

  func answer(_ kind: SignInHookEvent.Kind, _ script: @escaping Script) {
    state.withLock { $0.scripts[kind] = script }
  }

  /// Forgets the questions and the answers.
  func forget() {
    state.withLock { $0 = State() }
  }

  func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? {
    let script = state.withLock { state in
      state.events.append(event)
      return state.scripts[event.kind]
    }
    guard let script else { return nil }
    var answer = SignInHookAnswer()
    try await script(&answer, event)
    return answer
  }
}
