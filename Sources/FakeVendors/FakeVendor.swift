public import AuthCore
import Foundation

/// Speaks a vendor's protocol on a port of this machine, honestly unless a test makes it misbehave.
///
/// A fake vendor checks what the real one checks of an app (its secret, PKCE, redirect URI, one use of a code),
/// gives nothing to an unauthenticated client, and opens no connections itself. Every test starts its own; many can
/// run at once. It stops with ``stop()`` or when its last reference is released.
///
/// The vendors of a process share RSA keys, because these are slow to make. Tokens of two vendors then differ only in
/// the issuer. ``FakeOIDC`` with ES256 has its own keys.
public protocol FakeVendor: Sendable {
  var server: VendorServer { get }
  var endpoints: any VendorEndpoints { get }
}

extension FakeVendor {
  /// The `iss` of tokens.
  public var issuer: String { endpoints.records.issuer }

  /// Closes the port and every connection.
  public func stop() async { await server.stop() }

  /// Signs an ID token as the vendor would, or makes one with a single fault.
  ///
  /// - `person`: The subject of the token.
  /// - `audience`: The client ID of the app.
  /// - `nonce`: The app's raw nonce; the token has it in the vendor's form.
  /// - `claims`: Claims that are added or replace the usual ones; null leaves a claim out.
  /// - `hostile`: The fault. Some make the vendor publish another key.
  public func idToken(
    for person: FakePerson, audience: String = FakeClient.web.id, nonce: String? = nil,
    claims: [String: JSONValue] = [:], hostile: HostileToken? = nil
  ) throws -> String {
    try endpoints.idToken(
      for: person, audience: audience, nonce: nonce.map { endpoints.nonceClaim(for: $0) },
      adding: claims, hostile: hostile)
  }

  /// Issues an access token as a native SDK of the vendor would, and registers the person.
  ///
  /// - `person`: The owner of the token.
  /// - `clientID`: The app, which need not be a registered one.
  /// - `scopes`: The granted scopes.
  /// - `seconds`: The lifetime; negative for an expired token.
  public func accessToken(
    for person: FakePerson, clientID: String = FakeClient.web.id,
    scopes: [String] = ["openid", "email", "profile"],
    seconds: Int64 = 3600
  ) -> String {
    let records = endpoints.records
    records.admit(person)
    let grant = Grant(
      person: person, clientID: clientID, scopes: scopes, issuedAt: records.clock(),
      lifetime: seconds)
    return records.issueAccessToken(grant, prefix: endpoints.accessTokenPrefix)
  }

  /// Plays the browser: opens an authorization URL as a person, and returns the answer to the app.
  ///
  /// Throws ``OAuthRefusal`` if the vendor shows the person an error and sends no answer to the app.
  ///
  /// - `url`: A URL of this vendor, as the app made it.
  /// - `person`: The person at the browser, whom the vendor registers; nil for the person of ``signIn(_:)``.
  /// - `isConsenting`: False if the person declines the app's request.
  public func authorize(
    _ url: String, as person: FakePerson? = nil, consenting isConsenting: Bool = true
  ) async throws -> AuthorizationAnswer {
    guard url.hasPrefix(server.url + "/") else {
      throw OAuthRefusal("not_found", "The URL is not one of this vendor's.", status: 404)
    }
    var cookies = isConsenting ? [] : ["consent=no"]
    if let person {
      endpoints.records.admit(person)
      cookies.append("person=\(URLText.escaped(person.subject))")
    }
    let request = VendorRequest(
      "GET", String(url.dropFirst(server.url.count)),
      headers: cookies.isEmpty
        ? [] : [RequestFields.Field("Cookie", cookies.joined(separator: "; "))])
    server.log.note(request)
    return try endpoints.authorization(request)
  }
}

extension FakeVendor {
  /// Registers a person and signs them in at the browser, for requests that name no person.
  public func signIn(_ person: FakePerson) {
    endpoints.records.admit(person)
    endpoints.records.with { $0.signedIn = person }
  }

  /// Adds or updates a person; tokens that were issued before get the update.
  public func admit(_ person: FakePerson) { endpoints.records.admit(person) }

  /// Registers an app; replaces one with the same ID.
  public func register(_ client: FakeClient) {
    endpoints.records.with { contents in
      contents.clients.removeAll { $0.id == client.id }
      contents.clients.append(client)
    }
  }

  /// Signs with a new key from now on; old keys stay published if `isKeepingOld` is true.
  public func rotateKeys(keepingOld isKeepingOld: Bool = true) throws {
    try endpoints.records.keys.rotate(keepingOld: isKeepingOld)
  }

  /// Publishes only the current signing key.
  public func dropOldKeys() { endpoints.records.keys.dropOthers() }

  /// The current signing key.
  public var signingKey: SigningKey {
    get throws { try endpoints.records.keys.current() }
  }

  /// Misbehaves from now on, as the closure decides.
  public func misbehave(_ change: @Sendable (inout VendorMisbehavior) -> Void) {
    endpoints.records.with { change(&$0.misbehavior) }
  }

  /// Tells whether a token of any kind is still valid.
  public func isGood(token: String) -> Bool {
    let records = endpoints.records
    return records.grant(ofAccessToken: token) != nil
      || records.grant(ofRefreshToken: token) != nil
  }
}
