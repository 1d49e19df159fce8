import AuthCore
import Testing

/// The time of all these tests.
let moment = Timestamp(milliseconds: 1_750_000_000_000)
let momentSeconds = moment.milliseconds / 1000

extension VerificationContext {
  static func test(
    _ settings: ProviderSettings, tenant: String? = nil, at time: Timestamp = moment
  ) -> VerificationContext {
    VerificationContext(
      scope: Scope(project: "test", tenant: tenant), purpose: .signIn, now: time,
      settings: settings)
  }
}

extension AuthProvider {
  /// Makes a credential as the console and REST do, and verifies it.
  func verify(
    _ builder: String, _ fields: [String: String], _ settings: ProviderSettings,
    tenant: String? = nil, at time: Timestamp = moment
  ) async throws -> VerifiedIdentity {
    let builder = try #require(manifest.builders.first { $0.name == builder })
    let credential = try builder.credential(for: id, fields)
    return try await verify(credential, .test(settings, tenant: tenant, at: time))
  }

  /// The error that refuses a credential, after a check that it contains no secret.
  func refusal(
    _ builder: String, _ fields: [String: String], _ settings: ProviderSettings,
    tenant: String? = nil, at time: Timestamp = moment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> AuthError {
    let error = try #require(
      await #expect(throws: AuthError.self, sourceLocation: sourceLocation) {
        try await verify(builder, fields, settings, tenant: tenant, at: time)
      }, sourceLocation: sourceLocation)
    var dumped = ""
    dump(error, to: &dumped)
    let secrets = manifest.builders.first { $0.name == builder }?.fields.filter(\.isSecret) ?? []
    for value in secrets.compactMap({ fields[$0.name] }) where !value.isEmpty {
      #expect(!error.debugDescription.contains(value), sourceLocation: sourceLocation)
      #expect(!dumped.contains(value), sourceLocation: sourceLocation)
    }
    #expect(error.step != nil, sourceLocation: sourceLocation)
    return error
  }
}

extension AuthorizationGrant {
  static let sample = AuthorizationGrant(
    state: "state-1", nonce: "nonce-1",
    codeVerifier: Secret("verifier-of-enough-letters-0123456789-0123"),
    redirectURI: "https://app.example/callback", parameters: ["login_hint": "ada@example.com"])

  /// The credential fields that the callback makes.
  var credential: [String: String] {
    [
      "code": "code-1", "redirectURI": redirectURI, "codeVerifier": codeVerifier.reveal(),
      "nonce": nonce,
    ]
  }
}
