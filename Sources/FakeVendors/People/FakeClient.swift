/// Describes an app that is registered with a vendor.
public struct FakeClient: Hashable, Sendable {
  public var id: String
  /// Nil for a public client, such as a mobile app, which proves itself by PKCE alone.
  public var secret: String?
  /// Where people may be sent back to, compared exactly; empty for anywhere.
  public var redirectURIs: [String]
  public var name: String

  public init(
    id: String, secret: String? = nil, redirectURIs: [String] = [], name: String = "Example app"
  ) {
    self.id = id
    self.secret = secret
    self.redirectURIs = redirectURIs
    self.name = name
  }

  /// A web app with a secret.
  public static let web = FakeClient(id: "1010101010", secret: "the-web-secret")

  /// Another developer's app, whose tokens nobody else may take.
  public static let foreign = FakeClient(
    id: "6660000666", secret: "the-foreign-secret", name: "Foreign app")
}

/// Names the ways in which a client proves itself at a token endpoint (RFC 6749, 2.3).
public enum ClientAuthentication: String, CaseIterable, Sendable {
  case basic = "client_secret_basic"
  case post = "client_secret_post"
  /// No secret: for public clients.
  case none = "none"
}
