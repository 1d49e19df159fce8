import AuthCore

extension VendorRecords {
  /// Authenticates the calling app (RFC 6749, 2.3).
  func client(
    of request: VendorRequest, allowing methods: Set<FakeClient.Authentication>
  ) throws(OAuthRefusal) -> FakeClient {
    if let name = request.form.repeatedName {
      throw OAuthRefusal("invalid_request", "\(name) was sent more than once.")
    }
    let basic = request.basicCredentials
    let posted = request.form["client_secret"]
    guard basic == nil || posted == nil else {
      throw OAuthRefusal("invalid_request", "The client proved itself in two ways.")
    }
    let refusal = OAuthRefusal(
      "invalid_client", "The client is unknown or not proven.", status: 401)
    guard let id = basic?.name ?? request.form["client_id"], let client = client(id),
      request.form["client_id"] == nil || request.form["client_id"] == id
    else { throw refusal }
    let method: FakeClient.Authentication = basic != nil ? .basic : posted != nil ? .post : .none
    guard methods.contains(method), client.secret == basic?.secret ?? posted else { throw refusal }
    return client
  }

  /// The URL of one of the vendor's own paths.
  func endpoint(_ path: String) -> JSONValue { .string(url + path) }
}
