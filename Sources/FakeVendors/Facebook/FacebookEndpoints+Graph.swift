import AuthCore

extension FacebookEndpoints {
  /// Describes a token for an app token (`ID|SECRET`) or another token of the same app.
  func inspection(_ request: VendorRequest) throws(GraphRefusal) -> JSONValue {
    guard let caller = caller(request) else { throw .invalidToken }
    guard let grant = records.grant(ofAccessToken: request.query["input_token"]) else {
      return GraphRefusal.invalidToken.inspected
    }
    guard configuration.inspectsForeignTokens || grant.clientID == caller.id else {
      return GraphRefusal.flow(
        "The App_id in the input_token did not match the Viewing App"
      ).inspected
    }
    return [
      "data": [
        "app_id": .string(grant.clientID), "type": "USER", "is_valid": true,
        "application": .optional(records.client(grant.clientID)?.name),
        "user_id": .string(grant.person.subject),
        "scopes": .array(grant.scopes.map(JSONValue.string)),
        "issued_at": .integer(grant.issuedAt.milliseconds / 1000),
        "expires_at": .integer(grant.expiresAt.milliseconds / 1000),
        "data_access_expires_at": .integer(grant.expiresAt.milliseconds / 1000),
      ]
    ]
  }

  /// Answers the requested fields, or `id` and `name` if none were requested.
  func me(_ request: VendorRequest) throws(GraphRefusal) -> JSONValue {
    let grant = try grant(of: request)
    let person = records.misbehavior.profilePerson ?? records.person(of: grant)
    let all: [String: JSONValue] = [
      "id": .string(person.subject), "name": .optional(person.name),
      "email": grant.scopes.contains("email") ? .optional(person.email) : .null,
      "picture": person.picture.map(Self.picture) ?? .null,
    ]
    // Drops nested parts as in picture.type(large), which changes only the size.
    let wanted = (request.query["fields"] ?? "id,name").split(separator: ",")
      .map { String($0.prefix { $0 != "." && $0 != "{" }) }
    let members = all.merging(person.claims) { _, own in own }
    return .object(
      members.filter { ($0.key == "id" || wanted.contains($0.key)) && $0.value != .null })
  }

  /// Removes all permissions that the token's person granted the app.
  func removal(_ request: VendorRequest) throws(GraphRefusal) -> JSONValue {
    let grant = try grant(of: request)
    guard request.method == "DELETE" else {
      let granted = grant.scopes.map { scope -> JSONValue in
        ["permission": .string(scope), "status": "granted"]
      }
      return ["data": .array(granted)]
    }
    records.revokeAll(of: grant.person, clientID: grant.clientID)
    return ["success": true]
  }

  private static func picture(_ url: String) -> JSONValue {
    ["data": ["url": .string(url), "is_silhouette": false, "width": 50, "height": 50]]
  }

  private func caller(_ request: VendorRequest) -> FakeClient? {
    guard let token = token(of: request) else { return nil }
    if let grant = records.grant(ofAccessToken: token) { return records.client(grant.clientID) }
    let parts = token.split(separator: "|", maxSplits: 1).map(String.init)
    guard parts.count == 2, let client = records.client(parts[0]), client.secret == parts[1] else {
      return nil
    }
    return client
  }

  private func token(of request: VendorRequest) -> String? {
    request.query["access_token"] ?? request.bearerToken ?? request.form["access_token"]
  }

  /// The grant of a call's token, once the call has proven that it comes from the app.
  private func grant(of request: VendorRequest) throws(GraphRefusal) -> Grant {
    guard let token = token(of: request) else { throw .noToken }
    guard let grant = records.grant(ofAccessToken: token) else { throw .invalidToken }
    let given = request.query["appsecret_proof"] ?? request.form["appsecret_proof"]
    guard let given else {
      guard !configuration.requiresProof else { throw .noProof }
      return grant
    }
    let secret = records.client(grant.clientID)?.secret ?? ""
    guard given == FakeFacebook.proof(of: token, secret: secret) else { throw .wrongProof }
    return grant
  }
}
