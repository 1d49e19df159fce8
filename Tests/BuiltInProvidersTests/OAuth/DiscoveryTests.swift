import AuthCore
import AuthTesting
import Testing
import TestSupport

@testable import BuiltInProviders

@Suite struct DiscoveryTests {
  let clock = FixedClock()
  let transport = CountingTransport(always: .status(500))
  var cache: DiscoveryCache {
    DiscoveryCache(transport: transport, clock: { [clock] in clock.now })
  }

  private func document(
    _ issuer: String = "https://id.example", _ changes: [String: JSONValue?] = [:]
  ) -> HTTPResponse {
    var members: [String: JSONValue] = [
      "issuer": .string(issuer), "authorization_endpoint": "https://login.example/authorize",
      "token_endpoint": "https://id.example/token", "jwks_uri": "https://keys.example/jwks",
      "userinfo_endpoint": "https://id.example/me", "revocation_endpoint": .null,
      "authorization_response_iss_parameter_supported": true,
      "code_challenge_methods_supported": ["S256", "plain"],
      "id_token_signing_alg_values_supported": ["none", "HS256", "ES256", "RS256"],
    ]
    for (name, value) in changes { members[name] = value }
    return .ok(JSONValue.object(members).text)
  }

  private func fails(
    _ code: AuthError.Code, _ field: String?, of issuer: String = "https://id.example",
    privateHosts: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    do {
      _ = try await cache.document(of: issuer, privateHosts: privateHosts, step: .state)
      Issue.record("the document was used", sourceLocation: sourceLocation)
    } catch let error as AuthError {
      #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
      #expect(error.field == field, sourceLocation: sourceLocation)
      #expect(error.step == .state, sourceLocation: sourceLocation)
    } catch {
      Issue.record("\(error) is no AuthError", sourceLocation: sourceLocation)
    }
  }

  @Test func `a document is read once for many callers and kept`() async throws {
    let answer = document()
    transport.answer { _, _ in answer }
    let cache = cache
    let found = try await cache.document(of: "https://id.example")
    try await withThrowingTaskGroup(of: DiscoveryDocument.self) { group in
      for _ in 0..<100 { group.addTask { try await cache.document(of: "https://id.example") } }
      for try await other in group { #expect(other == found) }
    }
    #expect(
      transport.requests.map(\.url) == ["https://id.example/.well-known/openid-configuration"])
    #expect(found.authorizationEndpoint == "https://login.example/authorize")
    #expect(found.userInfoEndpoint == "https://id.example/me")
    #expect(found.revocationEndpoint == nil)
    #expect(found.authorizationResponseIssParameterSupported)
    #expect(found.codeChallengeMethods == ["S256", "plain"])
    #expect(found.tokenEndpointAuthMethods == ["client_secret_basic"])
    #expect(found.signingAlgorithms == [.es256, .rs256])
    #expect(OAuthEndpoints(found).token == "https://id.example/token")
  }

  @Test func `a document of another issuer is refused, to the last slash`() async throws {
    for other in ["https://attacker.example", "https://id.example/", "https://ID.example"] {
      let answer = document(other)
      transport.answer { _, _ in answer }
      await fails(.networkRequestFailed, "issuer")
    }
    let answer = document("https://id.example/realm/")
    transport.answer { _, _ in answer }
    _ = try await cache.document(of: "https://id.example/realm/")
    #expect(
      transport.requests.last?.url == "https://id.example/realm/.well-known/openid-configuration")
    await fails(.networkRequestFailed, "issuer", of: "https://id.example/realm")
  }

  @Test func `endpoints are https, save on hosts that an admin allowed`() async throws {
    let wrong: [JSONValue?] = [
      "http://id.example/x", "ftp://id.example", "/token", "javascript:alert(1)", 1, "",
      "https://user:pw@id.example/x", "https://id.example/x#y", nil,
    ]
    for url in wrong {
      for name in ["token_endpoint", "jwks_uri", "authorization_endpoint"] {
        let answer = document("https://id.example", [name: url])
        transport.answer { _, _ in answer }
        await fails(.networkRequestFailed, name)
      }
    }
    let local = document(
      "http://127.0.0.1:8080",
      ["token_endpoint": "http://127.0.0.1:8080/t", "jwks_uri": "http://127.0.0.1:8080/k"])
    transport.answer { _, _ in local }
    let count = transport.count
    await fails(.operationNotAllowed, "issuer", of: "http://127.0.0.1:8080")
    #expect(transport.count == count)
    await fails(
      .operationNotAllowed, "issuer", of: "http://127.0.0.1:8080", privateHosts: ["127.0.0.1:80"])
    for host in ["127.0.0.1:8080", "127.0.0.1"] {
      _ = try await cache.document(of: "http://127.0.0.1:8080", privateHosts: [host])
    }
  }

  @Test func `an issuer that is down is reported, and its old document is served`() async throws {
    let cache = cache
    await fails(.networkRequestFailed, nil)
    let answer = document()
    transport.answer { _, _ in answer }
    _ = try await cache.document(of: "https://id.example")
    transport.answer { _, _ in .status(503) }
    clock.advance(seconds: 86_400)
    _ = try await cache.document(of: "https://id.example")
    let redirect = HTTPResponse(status: 301, headers: ["location": "https://attacker.example"])
    transport.answer { _, _ in redirect }
    await fails(.networkRequestFailed, nil)
  }
}
