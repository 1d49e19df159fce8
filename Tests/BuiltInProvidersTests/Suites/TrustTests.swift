import AuthCore
import FakeVendors
import Testing
import TestSupport

@Suite(.serialized) struct `Trust in a provider's word on an address` {
  /// The way to sign in, the address, and the default rule.
  struct Case: Sendable, CustomStringConvertible {
    let way: Way
    let email: String
    let links: Bool
    let setting: String
    var description: String { "\(way) \(email)" }
  }

  private static let google = "trust google.com for gmail.com, googlemail.com"

  static let defaults: [Case] = [
    Case(way: .googleIDToken, email: "ada@gmail.com", links: true, setting: google),
    Case(way: .googleAccessToken, email: "ada@googlemail.com", links: true, setting: google),
    Case(way: .googleCode, email: "Ada@GMAIL.com", links: true, setting: google),
    Case(way: .googleIDToken, email: "ada@example.com", links: false, setting: google),
    Case(way: .googleIDToken, email: "ada@mail.gmail.com", links: false, setting: google),
    Case(
      way: .appleIDToken, email: "ada@example.com", links: true, setting: "trust apple.com always"),
    Case(way: .appleCode, email: "ada@gmail.com", links: true, setting: "trust apple.com always"),
    Case(
      way: .facebookLimitedLogin, email: "ada@gmail.com", links: false,
      setting: "trust facebook.com never"),
    Case(
      way: .facebookAccessToken, email: "ada@example.com", links: false,
      setting: "trust facebook.com never"),
    Case(
      way: .oidcIDToken, email: "ada@example.com", links: false,
      setting: "trust oidc.staff never"),
    Case(
      way: .acmeIDToken, email: "ada@acme.example", links: false,
      setting: "trust acme.example never"),
    Case(
      way: .scriptIDToken, email: "ada@gmail.com", links: false,
      setting: "trust script.example never"),
    Case(
      way: .plainAccessToken, email: "ada@example.com", links: false,
      setting: "trust plain.example never"),
    Case(
      way: .emailLink, email: "ada@example.com", links: true, setting: "trust emailLink always"),
  ]

  @Test(arguments: defaults)
  func `the trace names the setting that decided, as it is in production`(
    _ example: Case
  ) async throws {
    try await withProviders { home in
      try await expect(home, example)
    }
  }

  @Test func `the production settings name Yahoo's and Microsoft's own domains`() {
    let trust = TrustPolicy.production

    #expect(trust[ProviderID("yahoo.com")] == .domains(["yahoo.com"]))
    #expect(trust[ProviderID("microsoft.com")] == .domains(["outlook.com", "hotmail.com"]))
    #expect(trust[ProviderID("facebook.com")] == .never)
    #expect(trust[.apple] == .always)
    #expect(trust[ProviderID("discord.com")] == .never)
  }

  @Test func `an admin changes the trust for a provider and for a domain`() async throws {
    try await withProviders { home in
      try await home.trust(Vendor.oidc.provider, .domains(["example.com"]))
      try await home.trust(.google, .never)
      try await home.trust(.apple, .domains(["icloud.com"]))
      let oidc = "trust oidc.staff for example.com"

      try await expect(
        home, Case(way: .oidcIDToken, email: "ada@example.com", links: true, setting: oidc))
      try await expect(
        home, Case(way: .oidcCode, email: "bo@other.example", links: false, setting: oidc))
      try await expect(
        home,
        Case(
          way: .googleIDToken, email: "ada@gmail.com", links: false,
          setting: "trust google.com never"))
      try await expect(
        home,
        Case(
          way: .appleIDToken, email: "eve@example.com", links: false,
          setting: "trust apple.com for icloud.com"))
    }
  }

  @Test(arguments: [Way.acmeIDToken, .acmeCode, .scriptIDToken, .scriptCode, .plainAccessToken])
  func `attack 33: a plug-in's word counts only if an admin says so`(
    _ way: Way
  ) async throws {
    try await withProviders { home in
      let never = "trust \(way.provider) never"
      try await expect(
        home, Case(way: way, email: "ada@example.com", links: false, setting: never))
      try await home.trust(way.provider, .domains(["example.com"]))
      let some = "trust \(way.provider) for example.com"

      try await expect(
        home, Case(way: way, email: "bo@example.com", links: true, setting: some))
      try await expect(
        home, Case(way: way, email: "eve@other.example", links: false, setting: some))
    }
  }

  @Test(arguments: [Way.facebookAccessToken, .facebookLimitedLogin, .facebookCode])
  func `attack 33: trusting Facebook wholly does not make it say what it does not`(
    _ way: Way
  ) async throws {
    try await withProviders { home in
      try await home.trust(way.provider)

      try await expect(
        home,
        Case(
          way: way, email: "ada@example.com", links: false, setting: "trust facebook.com always"))
    }
  }

  /// Signs in a person whose address an account has verified, and reads the reason of the result.
  private func expect(
    _ home: ProviderHome, _ example: Case, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let owner = try await home.createAccount(email: example.email, verified: true)
    let person = FakePerson.named("person-\(home.next())", email: example.email)
    let credential = try await home.credential(example.way, for: person)

    if example.links {
      let result = try await home.signIn(credential)
      #expect(result.account.id == owner.id, sourceLocation: sourceLocation)
      #expect(result.account.identities.count == 1, sourceLocation: sourceLocation)
      let event = try await home.newestEvent()
      #expect(result.receipt.trace == event.trace, sourceLocation: sourceLocation)
    } else {
      await expectError(.accountExistsWithDifferentCredential, sourceLocation: sourceLocation) {
        try await home.signIn(credential)
      }
      #expect(try await home.account(owner.id) == owner, sourceLocation: sourceLocation)
    }
    let event = try await home.newestEvent()
    let step = try #require(
      event.trace.steps.first { $0.rule == "trust" }, sourceLocation: sourceLocation)
    let inputs = step.inputs.map { "\($0.name): \($0.value)" }
    #expect(inputs.contains("setting: \(example.setting)"), sourceLocation: sourceLocation)
    #expect(
      inputs.contains("domain: \(try person.address.domain)"), sourceLocation: sourceLocation)
  }
}
