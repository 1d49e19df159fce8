import AuthCore
import AuthTesting
import FakeVendors
import ProviderChecks
import Testing

@Suite struct FakeProviderTests {
  let context = VerificationContext(
    scope: Scope(project: "p"), purpose: .signIn, now: FixedClock().now,
    storedSecret: { _ in nil })

  @Test(arguments: ProviderCheck.all)
  func `the fake provider keeps a provider's promises`(_ promise: ProviderCheck) async throws {
    try await promise.run(FakeProvider())
  }

  @Test func `the fake provider believes the fields`() async throws {
    let provider = FakeProvider(id: ProviderID("oidc.work"))
    let credential = try provider.credential(
      subject: "1", email: "Ada@example.com", emailVerified: true, displayName: "Ada",
      photoURL: "https://example.com/a.png", issuer: "https://id.example")

    let identity = try await provider.verify(credential, context)

    #expect(
      identity.key
        == IdentityKey(ProviderID("oidc.work"), issuer: "https://id.example", subject: "1"))
    #expect(identity.email?.canonical == "ada@example.com")
    #expect(identity.emailVerified)
    #expect(identity.profile.displayName == "Ada")
    #expect(identity.profile.photoURL == "https://example.com/a.png")
  }

  @Test(arguments: ["True", "TRUE", "1", "yes", " true", "false"])
  func `only the text true verifies an address`(_ text: String) async throws {
    let provider = FakeProvider()
    let credential = Credential(
      provider: provider.id, builder: "credential",
      fields: ["subject": "1", "email": "a@example.com", "emailVerified": text])

    #expect(try await provider.verify(credential, context).emailVerified == false)
  }

  @Test func `an address that is none is shown and not matched on`() async throws {
    let provider = FakeProvider()

    let identity = try await provider.verify(
      try provider.credential(subject: "1", email: "not an address"), context)

    #expect(identity.email == nil)
    #expect(identity.profile.email == "not an address")
  }

  @Test func `an empty subject is refused`() {
    let error = #expect(throws: AuthError.self) {
      try FakeProvider().credential(subject: "")
    }
    #expect(error?.code == .invalidCredential)
    #expect(error?.field == "subject")
  }

  @Test func `the fake provider misbehaves on demand`() async throws {
    let honest = FakeProvider()
    let credential = try honest.credential(subject: "1", email: "a@example.com")
    let failure = AuthError(.internalError, "On purpose.", step: .exchange)

    let empty = try await FakeProvider(behavior: .emptySubject).verify(credential, context)
    let verified = try await FakeProvider(behavior: .claimsVerified).verify(credential, context)
    let other = try await FakeProvider(behavior: .claimsProvider(.google))
      .verify(credential, context)
    let forgetful = FakeProvider(behavior: .forgetful)
    let keys = [
      try await forgetful.verify(credential, context).key,
      try await forgetful.verify(credential, context).key,
    ]

    #expect(empty.key?.subject == "")
    #expect(verified.emailVerified)
    #expect(other.provider == .google)
    #expect(keys[0] != keys[1])
    await #expect(throws: failure) {
      try await FakeProvider(behavior: .failing(failure)).verify(credential, context)
    }
  }

  @Test func `a slow provider ends with its task`() async throws {
    let provider = FakeProvider(behavior: .slow(.seconds(3600)))
    let credential = try provider.credential(subject: "1")
    let context = context

    await withThrowingTaskGroup { group in
      group.addTask { _ = try await provider.verify(credential, context) }
      group.cancelAll()
      await #expect(throws: CancellationError.self) { try await group.waitForAll() }
    }
  }
}
