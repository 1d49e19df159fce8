import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import HTTPClientTransport
import Testing
import TestSupport

/// A relying party of a fake OpenID provider over loopback, as `oidc.fake` of an admin's configuration.
///
/// The suites of this folder have the cases of OpenID's conformance profiles for relying parties (Basic, Config, and
/// of Implicit and Hybrid what concerns ID tokens), each as a test that begins with the profile's name.
///
/// | Cases that apply | Suite |
/// | --- | --- |
/// | `rp-id_token-sig-rs256`, `-sig-es256`, `-sig-none`, `-sig-hs256`, `-bad-sig-rs256`, `-bad-sig-es256`, `-bad-sig-hs256`, `-bad-alg` | signatures |
/// | `rp-id_token-kid-absent-single-jwks`, `-kid-absent-multiple-jwks`, `rp-key-rotation-op-sign-key`, `-op-sign-key-native`, `rp-discovery-jwks_uri-keys` | keys |
/// | `rp-id_token-issuer-mismatch`, `-aud`, `-azp`, `-sub`, `-iat`, `-exp` | claims |
/// | `rp-nonce-invalid`, `rp-nonce-unless-code-flow`, `rp-id_token-bad-at_hash`, `-missing-at_hash`, `-bad-c_hash`, `-missing-c_hash` | binding |
/// | `rp-userinfo-bearer-header`, `-bad-sub-claim`, `rp-scope-userinfo-claims`, `rp-claims_request-id_token`, `-userinfo` | userinfo |
/// | `rp-discovery-openid-configuration`, `-issuer-not-matching-config` | discovery |
/// | `rp-response_type-code`, `rp-response_mode-form_post`, `-form_post-error`, `rp-token_endpoint-client_secret_basic`, `-client_secret_post` | exchange |
///
/// `rp-id_token-sig-none` and `-sig-hs256` are optional; both kinds of token are refused, because whoever can check
/// them can make them.
///
/// | Cases that do not apply | Why |
/// | --- | --- |
/// | `rp-response_type-id_token`, `-id_token+token`, `-code+id_token`, `-code+token`, `-code+id_token+token` | `code` is the only response type that is sent (RFC 9700 section 2.1.2) |
/// | `rp-id_token-sig+enc`, `-sig+enc-a128kw`, `rp-userinfo-enc`, `-sig`, `-sig+enc`, `rp-key-rotation-op-enc-key` | tokens and profiles come over TLS and are not encrypted; a signed profile is refused, since it is no JSON |
/// | `rp-request_uri-*`, `rp-request-*`, `rp-key-rotation-rp-sign-key`, `-rp-enc-key` | no request objects are made |
/// | `rp-token_endpoint-client_secret_jwt`, `-private_key_jwt` | clients authenticate with `none`, `basic` or `post` |
/// | `rp-userinfo-bearer-body` | the header is the way that every provider has to take (RFC 6750 section 2.1) |
/// | `rp-claims-aggregated`, `-distributed` | such claims are kept as they are and never followed |
/// | `rp-discovery-webfinger-*` | an admin configures the issuer, nobody types an address |
/// | `rp-registration-*`, `rp-3rd_party-init-login-*` | clients are registered by hand; a sign-in begins in the app |
/// | `rp-backchannel-*`, `rp-frontchannel-*`, `rp-init-logout-*` | logout at the provider is not taken over |
struct RelyingParty: Sendable {
  /// The way by which an ID token arrives.
  enum Path: CaseIterable, Sendable {
    /// From the token endpoint, for a code.
    case code
    /// From the app.
    case idToken
  }

  /// A changed ID token.
  struct Lie: Sendable {
    var fault: HostileToken?
    var claims: [String: JSONValue] = [:]
    var header: [String: JSONValue] = [:]

    static let none = Lie()
    static func fault(_ fault: HostileToken) -> Lie { Lie(fault: fault) }
    /// Claims that are added or replaced; null leaves one out.
    static func claims(_ claims: [String: JSONValue]) -> Lie { Lie(claims: claims) }
    /// Members of the header; null leaves one out.
    static func header(_ header: [String: JSONValue]) -> Lie { Lie(header: header) }
  }

  static let id = ProviderID("oidc.fake")
  static let nonce = "nonce of the app"
  /// A person of whom ID tokens say nothing but the subject, so that userinfo is asked.
  static let quiet = FakePerson(subject: "quiet")

  let vendor: FakeOIDC
  let provider: any AuthProvider & AuthorizationFlow
  let transport: HTTPClientTransport
  let clock: FixedClock

  var settings: ProviderSettings {
    ProviderSettings(
      Self.id, vendor.providerValues, secrets: vendor.providerSecrets.mapValues { $0.reveal() })
  }

  /// Runs a test with a provider of its own.
  static func run(
    _ change: (inout FakeOIDC.Configuration) -> Void = { _ in },
    _ body: (RelyingParty) async throws -> Void
  ) async throws {
    let clock = FixedClock()
    var configuration = FakeOIDC.Configuration(clock: { clock.now })
    change(&configuration)
    try await overLoopback(to: try await FakeOIDC.start(configuration)) { vendor, transport in
      let registry = ProviderRegistry.builtIn(transport: transport, clock: { clock.now })
      let provider = try #require(registry[id] as? any AuthProvider & AuthorizationFlow)
      try await body(
        RelyingParty(vendor: vendor, provider: provider, transport: transport, clock: clock))
    }
  }

  /// Signs a person in, with a token as the provider makes it or changed.
  @discardableResult
  func signIn(
    _ path: Path, as person: FakePerson = .ada, _ lie: Lie = .none
  ) async throws -> VerifiedIdentity {
    let (builder, fields) = try await credential(path, person, lie)
    return try await provider.verify(builder, fields, settings, at: clock.now)
  }

  /// Expects that a sign-in is refused, and names the field.
  func refuses(
    _ path: Path, _ lie: Lie, field: String, code: AuthError.Code = .invalidCredential,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let (builder, fields) = try await credential(path, .ada, lie)
    let error = try await provider.refusal(
      builder, fields, settings, at: clock.now, sourceLocation: sourceLocation)
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    #expect(error.field == field, "\(error)", sourceLocation: sourceLocation)
    #expect(error.step == .token, "\(error)", sourceLocation: sourceLocation)
  }

  private func credential(
    _ path: Path, _ person: FakePerson, _ lie: Lie
  ) async throws -> (builder: String, fields: [String: String]) {
    vendor.misbehave {
      $0.idToken = lie.fault
      $0.idTokenClaims = lie.claims
      $0.idTokenHeader = lie.header
    }
    switch path {
    case .code:
      return ("authorizationCode", try await provider.signIn(person, at: vendor, settings))
    case .idToken:
      let token = try vendor.idToken(for: person, nonce: Self.nonce, hostile: lie.fault)
      return ("idToken", ["idToken": token, "nonce": Self.nonce])
    }
  }
}
