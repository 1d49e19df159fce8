import HTTPTypes

/// The header fields that let scripts of other origins call (CORS, Fetch standard).
///
/// Origins and fields are reflected.
struct CrossOrigin: Sendable {
  private let headers: [String: String]
  private let allowed: Set<String>

  init(headers: [String: String], allowed: Set<String>) {
    self.headers = headers
    self.allowed = allowed
  }

  /// The fields of every answer.
  var fields: HTTPFields {
    guard let origin = headers["origin"], allowed.isEmpty || allowed.contains(origin) else {
      return [:]
    }
    var fields: HTTPFields = [.accessControlAllowOrigin: origin, .vary: "Origin"]
    if headers["access-control-request-private-network"] != nil,
      let name = HTTPField.Name("Access-Control-Allow-Private-Network")
    {
      fields[name] = "true"
    }
    return fields
  }

  /// The fields of the answer to a preflight request.
  var preflight: HTTPFields {
    var fields = self.fields
    guard !fields.isEmpty else { return fields }
    fields[.accessControlAllowMethods] = "GET,HEAD,PUT,PATCH,POST,DELETE"
    if let wanted = headers["access-control-request-headers"] {
      fields[.accessControlAllowHeaders] = wanted
    }
    fields[.accessControlMaxAge] = "3600"
    return fields
  }
}
