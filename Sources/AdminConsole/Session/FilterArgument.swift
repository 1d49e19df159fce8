import AuthCore
import LuaRuntime

extension LuaCall {
  /// Reads the conditions of a function that without conditions applies to everything.
  ///
  /// In Lua a nil field does not exist, so a table without conditions is most often one whose variable was nil. The
  /// function applies to everything only if the argument is absent.
  ///
  /// - Parameters:
  ///   - index: the argument's position.
  ///   - names: the conditions.
  ///   - everything: the objects that the function applies to without conditions, for the message.
  /// - Returns: the conditions, with none if the argument is absent.
  /// - Throws: `invalid-argument` for nil, a table without conditions, an unknown name or an empty text.
  func filter(_ index: Int, _ names: [String], all everything: String) throws -> LuaTable {
    guard count >= index else { return LuaTable() }
    let isNil = isNil(index)
    let table = isNil ? LuaTable() : try table(index, "filter")
    try table.refuseUnknown(names)
    guard !table.fields.isEmpty else {
      throw AuthError(
        .invalidArgument, "\(name)\(isNil ? "(nil)" : " {}") has no condition.", field: "filter",
        remedy: "Write \(name)() for all \(everything).")
    }
    for (name, value) in table.fields.sorted(by: { $0.key < $1.key }) {
      guard let text = value.stringValue, text.allSatisfy(\.isWhitespace) else { continue }
      throw AuthError(
        .invalidArgument, "\(name) is empty.", field: name,
        remedy: "Write \(name) = … with a text, or leave it out.")
    }
    return table
  }
}

extension LuaTable {
  /// Throws `invalid-argument` if the table has none of the names that make up a change.
  func refuseNoneOf(
    _ names: [String], _ message: String, remedy: String
  ) throws(AuthError) {
    guard names.allSatisfy({ self[$0].isNil }) else { return }
    throw AuthError(.invalidArgument, message, field: "fields", remedy: remedy)
  }
}
