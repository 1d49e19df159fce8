import AuthCore

/// What one person allowed one app.
struct Grant: Hashable, Sendable {
  /// The same for the code and every token that came of it, so that they fall together.
  var id = 0
  var person: FakePerson
  var clientID: String
  var scopes: [String]
  var redirectURI: String?
  /// Of PKCE, made with S256.
  var challenge: String?
  /// As the app sent it.
  var nonce: String?
  var wantsRefreshToken = true
  var issuedAt: Timestamp
  var lifetime: Int64 = VendorRecords.accessTokenSeconds

  var expiresAt: Timestamp { issuedAt.adding(seconds: lifetime) }
}
