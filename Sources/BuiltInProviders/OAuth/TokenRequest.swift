package import AuthCore

/// The form of the requests to a vendor's token endpoint; by default that of RFC 6749.
package struct TokenRequest: Sendable, Hashable {
  package var method = HTTPRequest.Method.post
  /// True for a JSON object as the body in place of a form.
  package var isJSON = false
  /// The vendor's names of parameters by those of RFC 6749; an empty name omits the parameter.
  package var names: [String: String] = [:]
  package var fields: [String: String] = [:]
  package var headers: [String: String] = [:]

  /// The parameters that may have another name.
  ///
  /// The others bind an answer to its request, and a callback is read by their usual names.
  package static let renamed = [
    "client_id", "client_secret", "code", "code_verifier", "grant_type", "redirect_uri",
    "refresh_token",
  ]

  package init() {}

  /// Returns parameters under the vendor's names, without those that it does not have.
  func named(_ fields: [(name: String, value: String)]) -> [(name: String, value: String)] {
    fields.map { (names[$0.name] ?? $0.name, $0.value) }.filter { !$0.0.isEmpty }
  }

  /// Makes a request that is never sent twice, because a code works once.
  func request(_ url: String, _ given: [(name: String, value: String)]) -> HTTPRequest {
    let more = fields.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    let all = named(given) + more
    var request: HTTPRequest
    if method == .get {
      request = HTTPRequest(.get, URLText.adding(all, to: url))
    } else if isJSON {
      let members = all.map { ($0.name, JSONValue.string($0.value)) }
      let body = JSONValue.object(Dictionary(members, uniquingKeysWith: { first, _ in first }))
      request = HTTPRequest(
        method, url, headers: [("Content-Type", "application/json")], body: Array(body.text.utf8))
    } else {
      request = HTTPRequest.form(url, all)
    }
    request.isRepeatable = false
    request.headers += headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return request
  }
}
