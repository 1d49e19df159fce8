import AuthCore

/// The permissions that one person gave one app.
struct Grant: Hashable, Sendable {
  /// The ID that the code and all its tokens share, so that they end together.
  var id = 0
  var person: FakePerson
  var clientID: String
  var scopes: [String]
  var redirectURI: String?
  /// The PKCE challenge, made with S256.
  var challenge: String?
  /// The nonce as the app sent it.
  var nonce: String?
  var wantsRefreshToken = true
  var issuedAt: Timestamp
  var lifetime: Int64 = VendorRecords.accessTokenSeconds

  var expiresAt: Timestamp { issuedAt.adding(seconds: lifetime) }
}
