import AuthCore

extension JSONValue {
  /// The value as JSON in which no tag of HTML can begin or end.
  var inertText: String {
    text
      .replacing(bytes: ["<": "\\u003c", ">": "\\u003e", "&": "\\u0026"])
      .replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
  }
}
