import IdentityToolkit

/// The head of an HTTP request: everything except its body.
package struct RequestHead: Sendable {
  /// The method of the operation.
  ///
  /// Some clients' libraries cannot send a PATCH. They send a POST with the field `X-HTTP-Method-Override: PATCH`.
  package let method: String
  /// The path as it was sent, percent-encoded and without the query.
  package let path: String
  /// The query without its question mark.
  package let query: String
  /// Header fields by their names in lower case.
  package let headers: [String: String]
  /// The address that the connection comes from.
  package let peer: String?
  /// The request's ID in the log.
  package let requestID: String?

  package init(
    method: String, path: String, query: String = "", headers: [String: String] = [:],
    peer: String? = nil, requestID: String? = nil
  ) {
    self.requestID = requestID
    let isOverridden = method == "POST" && headers["x-http-method-override"] == "PATCH"
    self.method = isOverridden ? "PATCH" : method
    self.path = path
    self.query = query
    self.headers = headers
    self.peer = peer
  }

  /// The text that the caller's address is counted under.
  package var countedAs: String { ClientAddress.countedAs(peer) }

  /// The parameters of the query.
  ///
  /// If a name repeats, its last parameter counts.
  ///
  /// Throws if there are too many.
  var parameters: [String: String] {
    get throws(WireError) { try FormText.parse(query, of: "The query") }
  }

  /// The token of an `Authorization: Bearer` field.
  package var bearer: String? {
    guard let header = headers["authorization"] else { return nil }
    let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return parts[1].trimmingPrefix(while: { $0 == " " }).description
  }
}

/// A complete HTTP request.
package struct ServerRequest: Sendable {
  package let head: RequestHead
  package let body: [UInt8]

  package init(
    method: String, path: String, query: String = "", headers: [String: String] = [:],
    body: [UInt8] = [], peer: String? = nil, requestID: String? = nil
  ) {
    head = RequestHead(
      method: method, path: path, query: query, headers: headers, peer: peer,
      requestID: requestID)
    self.body = body
  }
}
