public import AuthCore
import Foundation

/// Speaks a vendor's protocol on a port of this machine, honestly until it is told otherwise.
///
/// Promises: it checks what the real one checks of an app (its secret, PKCE, redirect URI, one use of a
/// code), gives nothing to who has not proven it, and never opens a connection of its own. Every test
/// starts its own; many can run at once. It stops with ``stop()``, or when nobody holds it any more.
///
/// RSA keys are shared by the vendors of a process, since they take long to make: what keeps two vendors'
/// tokens apart is then the issuer alone. ``FakeOIDC`` with ES256 has keys of its own.
public protocol FakeVendor: Sendable {
  var server: VendorServer { get }
  var endpoints: any VendorEndpoints { get }
}

extension FakeVendor {
  /// What stands in `iss`.
  public var issuer: String { endpoints.records.issuer }

  /// Closes the port and every connection.
  public func stop() async { await server.stop() }

  /// Signs an ID token as the vendor would, or makes one that is wrong in one respect.
  ///
  /// - `person`: Whom it names.
  /// - `audience`: The client ID of the app it is for.
  /// - `nonce`: The nonce that the app keeps to itself.
  /// - `claims`: What it says beside or instead of the usual; null leaves a claim out.
  /// - `hostile`: In which respect it is wrong. Some make the vendor publish another key.
  public func idToken(
    for person: FakePerson, audience: String = FakeClient.web.id, nonce: String? = nil,
    claims: [String: JSONValue] = [:], hostile: HostileToken? = nil
  ) throws -> String {
    try endpoints.idToken(
      for: person, audience: audience, nonce: nonce.map { endpoints.nonceClaim(for: $0) },
      adding: claims, hostile: hostile)
  }

  /// Gives an access token as a native SDK of the vendor would, and takes the person up.
  ///
  /// - `person`: Whose it is.
  /// - `clientID`: The app it is for, which need not be one of those that the vendor was started with.
  /// - `scopes`: What it is good for.
  /// - `seconds`: How long it is good; negative for one that is over already.
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

  /// Plays the browser: opens an authorization URL as somebody, and gives what would reach the app.
  ///
  /// Throws ``OAuthRefusal`` where the vendor shows the person an error and sends nobody back.
  ///
  /// - `url`: A URL of this vendor, as the app made it.
  /// - `person`: Who is signed in to the vendor, and taken up by it; as ``signIn(_:)`` said where nil.
  /// - `isConsenting`: Whether they allow what the app asks for.
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
  /// Says who sits at the browser where nothing else says it, and takes the person up.
  public func signIn(_ person: FakePerson) {
    endpoints.records.admit(person)
    endpoints.records.with { $0.signedIn = person }
  }

  /// Changes what the vendor knows of a person, or takes somebody up; tokens that are out follow.
  public func admit(_ person: FakePerson) { endpoints.records.admit(person) }

  /// Registers an app, in place of one of the same ID.
  public func register(_ client: FakeClient) {
    endpoints.records.with { contents in
      contents.clients.removeAll { $0.id == client.id }
      contents.clients.append(client)
    }
  }

  /// Signs with a new key from now on; the old ones stay published until told otherwise.
  public func rotateKeys(keepingOld isKeepingOld: Bool = true) throws {
    try endpoints.records.keys.rotate(keepingOld: isKeepingOld)
  }

  /// Publishes only the key that signs now.
  public func dropOldKeys() { endpoints.records.keys.dropOthers() }

  /// The key that signs now.
  public var signingKey: SigningKey {
    get throws { try endpoints.records.keys.current() }
  }

  /// Lies or errs from now on, as the closure says.
  public func misbehave(_ change: @Sendable (inout VendorMisbehavior) -> Void) {
    endpoints.records.with { change(&$0.misbehavior) }
  }

  /// Tells whether a token of any kind is still good.
  public func isGood(token: String) -> Bool {
    let records = endpoints.records
    return records.grant(ofAccessToken: token) != nil
      || records.grant(ofRefreshToken: token) != nil
  }
}
