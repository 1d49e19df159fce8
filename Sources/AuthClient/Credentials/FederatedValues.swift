import AuthValues
import Foundation

/// The fields of an identity provider's credential, and their form in a request.
struct FederatedValues: Sendable, Hashable {
  var idToken: String?
  var accessToken: String?
  var secret: String?
  var rawNonce: String?
  /// The token that the server returned for a verified credential.
  var pendingToken: String?
  /// The name, which Apple sends once, beside the token.
  var givenName: String?
  var familyName: String?
  /// The URL of the browser's return from the provider's page, with the provider's answer.
  var callback: String?
  /// The session for which the sign-in in the browser was started.
  var sessionID: String?
  /// The fields that only this provider has, by the names of its credential builder.
  var further: [String: String] = [:]

  init(
    idToken: String? = nil, accessToken: String? = nil, secret: String? = nil,
    rawNonce: String? = nil, pendingToken: String? = nil
  ) {
    self.idToken = idToken
    self.accessToken = accessToken
    self.secret = secret
    self.rawNonce = rawNonce
    self.pendingToken = pendingToken
  }

  /// Takes the result of a sign-in in the browser.
  init(callback: String, sessionID: String) {
    self.callback = callback
    self.sessionID = sessionID
  }

  /// Takes the fields of a credential builder.
  init(fields: [String: String]) {
    var fields = fields
    idToken = fields.removeValue(forKey: "idToken")
    accessToken = fields.removeValue(forKey: "accessToken")
    // Firebase's name, or the builder's own, which may be the same word.
    secret = fields.removeValue(forKey: "oauthTokenSecret") ?? fields["secret"]
    rawNonce = fields.removeValue(forKey: "nonce") ?? fields.removeValue(forKey: "rawNonce")
    pendingToken = fields.removeValue(forKey: "pendingToken")
    further = fields
  }

  /// Returns the members of a request that describe the credential.
  func requestMembers(provider: String) -> [String: JSONValue] {
    var members: [String: JSONValue] = [
      "requestUri": .string(callback ?? "http://localhost"),
      "postBody": .string(postBody(provider: provider)),
    ]
    members["sessionId"] = sessionID.map(JSONValue.string)
    if let pendingToken, !pendingToken.isEmpty { members["pendingToken"] = .string(pendingToken) }
    return members
  }

  /// Returns the parameters, form-encoded.
  func postBody(provider: String) -> String {
    var fields = [(name: "providerId", value: provider)]
    let known = [
      ("id_token", idToken), ("nonce", rawNonce), ("access_token", accessToken),
      ("oauth_token_secret", secret), ("user", user),
    ]
    for (name, value) in known {
      if let value, !value.isEmpty { fields.append((name: name, value: value)) }
    }
    let taken = Set(fields.map(\.name) + ["fullName"])
    for (name, value) in further.sorted(by: { $0.key < $1.key }) where !taken.contains(name) {
      fields.append((name: name, value: value))
    }
    return URLText.form(fields)
  }

  /// The name in the form of Apple's answer to a browser.
  private var user: String? {
    if let given = further["fullName"] { return given }
    var name: [String: JSONValue] = [:]
    if let givenName, !givenName.isEmpty { name["firstName"] = .string(givenName) }
    if let familyName, !familyName.isEmpty { name["lastName"] = .string(familyName) }
    return name.isEmpty ? nil : JSONValue.object(["name": .object(name)]).text
  }
}
