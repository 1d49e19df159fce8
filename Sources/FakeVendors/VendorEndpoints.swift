public import AuthCore
import Crypto
import Foundation

/// The traits of one vendor: its paths, its answers and the claims of its ID tokens.
public protocol VendorEndpoints: Sendable {
  /// The vendor's records.
  var records: VendorRecords { get }

  /// Answers a request to one of the vendor's paths; nil for any other path.
  func answer(_ request: VendorRequest) -> VendorResponse?

  /// Answers a person's browser at the authorization endpoint.
  ///
  /// Throws if the answer must not reach the app, or if the path is another one.
  func authorization(_ request: VendorRequest) throws(OAuthRefusal) -> AuthorizationAnswer

  /// The claims of an honest ID token, without those of ``FakePerson/claims``.
  func claims(for person: FakePerson, audience: String, nonce: String?) -> [String: JSONValue]

  /// The token's claim for a nonce that an app keeps to itself: the nonce, except at Apple.
  func nonceClaim(for rawNonce: String) -> String

  /// The first characters of this vendor's access tokens.
  var accessTokenPrefix: String { get }
}

extension VendorEndpoints {
  /// Returns the nonce itself.
  public func nonceClaim(for rawNonce: String) -> String { rawNonce }
  /// The empty prefix.
  public var accessTokenPrefix: String { "" }

  /// The claims of every OpenID provider (OpenID Connect Core, 2 and 5.1).
  func usualClaims(
    for person: FakePerson, audience: String, nonce: String?
  ) -> [String: JSONValue] {
    let now = records.clock().milliseconds / 1000
    let claims: [String: JSONValue] = [
      "iss": .string(records.issuer), "aud": .string(audience), "sub": .string(person.subject),
      "iat": .integer(now), "exp": .integer(now + 3600), "nonce": .optional(nonce),
    ]
    return claims.merging(profile(of: person)) { claim, _ in claim }.filter { $0.value != .null }
  }

  /// The members of a person's profile.
  func profile(of person: FakePerson) -> [String: JSONValue] {
    let members: [String: JSONValue] = [
      "sub": .string(person.subject), "email": .optional(person.email),
      "email_verified": person.emailVerified.map { .bool($0) } ?? .null,
      "name": .optional(person.name), "picture": .optional(person.picture),
    ]
    return members.filter { $0.value != .null }.merging(person.claims) { _, own in own }
  }

  /// Signs an ID token, or makes a hostile one.
  func idToken(
    for person: FakePerson, audience: String, nonce: String?, adding: [String: JSONValue] = [:],
    hostile: HostileToken?
  ) throws -> String {
    let lies = records.misbehavior
    let honest = claims(for: person, audience: audience, nonce: nonce)
      .merging(person.claims) { _, own in own }.merging(adding) { _, added in added }
      .merging(lies.idTokenClaims) { _, lie in lie }.filter { $0.value != .null }
    guard let hostile else {
      return try records.keys.current().jws(.object(honest), header: lies.idTokenHeader)
    }
    return try hostile.forge(
      honest, keys: records.keys, url: records.url, now: records.clock())
  }

  /// Binds a code or an access token to an ID token: the left half of its hash (OpenID Connect Core, 3.1.3.6).
  func halfHash(_ text: String) -> JSONValue {
    .string(Base64.url.text(SHA256.hash(data: Data(text.utf8)).prefix(16)))
  }
}

extension VendorEndpoints {
  /// Answers the authorization endpoint to a browser.
  func authorizationPage(_ request: VendorRequest) -> VendorResponse {
    do {
      return try authorization(request).response
    } catch {
      return .text(
        "<!doctype html><title>Refused</title><p>\(error.error)</p>",
        type: "text/html; charset=utf-8", status: error.status)
    }
  }

  /// Answers the key set.
  func keySet(maximumAge seconds: Int) -> VendorResponse {
    guard let keys = try? records.keys.published() else { return Self.broken }
    return .json(
      keys,
      headers: [RequestFields.Field("Cache-Control", "public, max-age=\(seconds), must-revalidate")]
    )
  }

  /// Answers an attacker's keys, for verifiers that trust the header of a token.
  func attackerPages(_ request: VendorRequest) -> VendorResponse? {
    guard let keyID = try? records.keys.current().keyID,
      let stranger = try? VendorKeys.attacker(keyID: keyID)
    else { return nil }
    return switch request.path {
    case HostileToken.attackerKeysPath: .json(["keys": [stranger.jwk]])
    case HostileToken.attackerCertificatePath:
      .text(stranger.publicKeyPEM, type: "application/x-pem-file")
    default: nil
    }
  }

  /// Answers a discovery document, with the ordered lies.
  func discovery(_ members: [String: JSONValue]) -> VendorResponse {
    .json(
      .object(
        members.merging(records.misbehavior.discovery) { _, lie in lie }
          .filter { $0.value != .null }))
  }

  static var broken: VendorResponse { .json(["error": "server_error"], status: 500) }
}
