import AuthCore
import AuthTesting
import Testing
import TestSupport

@testable import Tokens

/// An issuer, the tokens it signs, and a verifier that trusts it.
struct TokenBench {
  static let issuer = "https://issuer.example"
  static let client = "client-1"
  static let keysURL = "https://keys.example/jwks"

  let clock = FixedClock()
  let transport: CountingTransport
  let keys: KeyCache
  var declaration: IDTokenDeclaration

  /// - Parameters:
  ///   - jwks: the members of the key set that the issuer publishes.
  ///   - algorithms: the declared algorithms.
  init(_ jwks: [JSONValue], _ algorithms: [SigningAlgorithm] = [.rs256, .es256]) {
    transport = CountingTransport(always: .ok(Self.keySet(jwks)))
    keys = KeyCache(transport: transport, clock: { [clock] in clock.now })
    declaration = IDTokenDeclaration(
      issuers: [Self.issuer], audiences: [Self.client], keys: .jwks(url: Self.keysURL),
      algorithms: algorithms, nonce: .optional)
  }

  static func keySet(_ keys: [JSONValue]) -> String {
    JSONValue.object(["keys": .array(keys)]).text
  }

  var now: Int64 { clock.now.milliseconds / 1000 }

  /// Valid claims, with some replaced, and without those that are given as nil.
  func claims(_ changes: [String: JSONValue?] = [:]) -> String {
    var claims: [String: JSONValue] = [
      "iss": .string(Self.issuer), "aud": .string(Self.client), "sub": "ada",
      "iat": .integer(now), "exp": .integer(now + 3600),
    ]
    for (name, value) in changes { claims[name] = value }
    return JSONValue.object(claims).text
  }

  func token(
    _ key: IssuerKey, _ algorithm: String, _ changes: [String: JSONValue?] = [:],
    header: [String: JSONValue] = [:]
  ) -> String {
    var members: [String: JSONValue] = ["alg": .string(algorithm), "typ": "JWT"]
    if let id = key.id { members["kid"] = .string(id) }
    members.merge(header) { _, new in new }
    return Self.token(header: JSONValue.object(members).text, claims: claims(changes), key.sign)
  }

  static func token(
    header: String, claims: String, _ sign: ([UInt8]) throws -> [UInt8]
  ) -> String {
    let signed = Base64.url.text(header.utf8) + "." + Base64.url.text(claims.utf8)
    let signature = (try? sign(Array(signed.utf8))) ?? []
    return signed + "." + Base64.url.text(signature)
  }

  func verify(
    _ token: String, nonce: String? = nil, accessToken: String? = nil, code: String? = nil
  ) async throws -> IDTokenClaims {
    try await IDTokenVerifier(keys: keys).verify(
      token, by: declaration, nonce: nonce, accessToken: accessToken, code: code, now: clock.now)
  }

  /// Expects a refusal at the step `token`, naming a field, and returns its message.
  @discardableResult
  func refuses(
    _ token: String, nonce: String? = nil, accessToken: String? = nil, besideCode: String? = nil,
    _ code: AuthError.Code = .invalidCredential, field: String?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> String {
    do {
      _ = try await verify(token, nonce: nonce, accessToken: accessToken, code: besideCode)
      Issue.record("the token was believed", sourceLocation: sourceLocation)
      return ""
    } catch let error as AuthError {
      #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
      #expect(error.field == field, "\(error)", sourceLocation: sourceLocation)
      #expect(error.step == .token, sourceLocation: sourceLocation)
      let shown = error.description + String(reflecting: error)
      #expect(token.count < 10 || !shown.contains(token), sourceLocation: sourceLocation)
      if let nonce, !nonce.isEmpty {
        #expect(!shown.contains(nonce), sourceLocation: sourceLocation)
      }
      return error.message
    } catch {
      Issue.record("\(error) is no AuthError", sourceLocation: sourceLocation)
      return ""
    }
  }
}
