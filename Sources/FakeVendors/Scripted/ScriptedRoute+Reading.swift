import AuthCore

extension ScriptedRoute {
  /// Reads a route of a script.
  ///
  /// - `name`: Method and path.
  /// - `reader`: The answer.
  /// - `claims`: The names of the people's further claims.
  init(_ name: String, _ reader: ScriptReader, claims: [String]) throws(AuthError) {
    guard let match = name.wholeMatch(of: /([A-Z]+) (\/[^?#\s]*)/) else {
      throw reader.refusal(
        "is no method and path.", remedy: "Write GET /api/users/@me, for example.")
    }
    let path = String(match.output.2)
    guard !ScriptedEndpoints.ownPaths.contains(path) else {
      throw reader.refusal(
        "has a path that the provider answers itself.", remedy: "Choose another path.")
    }
    try reader.check(members: ["status", "headers", "json"])
    let status = try reader["status"]?.integer() ?? 200
    guard (200...599).contains(status) else {
      throw reader.refusal("has the status \(status).", remedy: "Write one from 200 to 599.")
    }
    let json = reader.value["json"]
    guard json == nil || (status != 204 && status != 304) else {
      throw reader.refusal(
        "has a body, which an answer with status \(status) cannot have.",
        remedy: "Leave json out, or choose another status.")
    }
    let known = Placeholders.names + claims
    for unknown in json.map({ Placeholders.used(in: $0) }) ?? [] where !known.contains(unknown) {
      throw reader.refusal(
        "says {\(unknown)}, which no person has.",
        remedy: suggestion(for: unknown, among: Set(known).sorted()) + " A brace itself is {{.")
    }
    self.init(
      String(match.output.1), path, status: status, headers: try Self.headers(reader), json: json)
  }

  private static func headers(
    _ reader: ScriptReader
  ) throws(AuthError) -> [RequestFields.Field] {
    try (reader["headers"]?.members() ?? []).map { header throws(AuthError) in
      let value = try header.reader.text()
      let isField = header.name.wholeMatch(of: /[A-Za-z0-9!#$%&'*+.^_`|~-]+/) != nil
      guard isField, value.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
        throw header.reader.refusal(
          "is no header.", remedy: "Write a name and one line of text.")
      }
      return RequestFields.Field(header.name, value)
    }
  }
}
