/// An app that is registered with a vendor.
public struct FakeClient: Hashable, Sendable {
  /// The client ID.
  public var id: String
  /// The secret; nil for a public client, such as a mobile app, which has PKCE alone.
  public var secret: String?
  /// The allowed redirect URIs, compared exactly; empty allows all.
  public var redirectURIs: [String]
  /// The name that sign-in pages show.
  public var name: String

  /// Makes an app.
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

  /// Another developer's app, whose tokens are valid for no other app.
  public static let foreign = FakeClient(
    id: "6660000666", secret: "the-foreign-secret", name: "Foreign app")
}

extension FakeClient {
  /// A client's authentication at a token endpoint (RFC 6749, 2.3), by its name in OAuth.
  public enum Authentication: String, CaseIterable, Sendable {
    case basic = "client_secret_basic"
    case post = "client_secret_post"
    /// No secret, for public clients.
    case none = "none"
  }
}
