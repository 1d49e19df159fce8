import AuthCore
import LuaRuntime

/// A refusal anywhere in a script's answer.
///
/// A script that writes `refuse "why"` in the place of a value refuses the whole operation, so the answer is not a
/// value with strange contents.
extension MergeRefusal {
  /// Finds the first refusal in a value, at any depth; nil if there is none.
  ///
  /// Throws `invalid-policy` for a `merge` in the place of a value.
  init?(within value: LuaValue, of file: String) throws(AuthError) {
    guard let table = value.tableValue else { return nil }
    try self.init(within: table, of: file)
  }

  init?(within table: LuaTable, of file: String) throws(AuthError) {
    if let refusal = Self(table, of: file) {
      self = refusal
      return
    }
    for element in table.array {
      guard let refusal = try Self(part: element, of: file) else { continue }
      self = refusal
      return
    }
    for name in table.fields.keys.sorted() {
      guard let refusal = try Self(part: table[name], of: file) else { continue }
      self = refusal
      return
    }
    return nil
  }

  private init?(part: LuaValue, of file: String) throws(AuthError) {
    if let table = part.tableValue, table["answer"].stringValue == "merge",
      !table["into"].isNil, !table["from"].isNil
    {
      throw AuthError(
        .invalidPolicy, "\(file): merge is used as a value.",
        remedy: "Return merge itself: return merge { into = …, from = … }.", step: .policy)
    }
    try self.init(within: part, of: file)
  }

  /// Reads a refusal as `refuse` makes it.
  private init?(_ table: LuaTable, of file: String) {
    let names = Set(table.fields.keys)
    guard table.array.isEmpty, table["answer"].stringValue == "refuse",
      names.isSubset(of: ["answer", "reason", "line", "code", "file"])
    else { return nil }
    let place = PolicyPlace(file: table["file"].stringValue, line: table["line"].integerValue)
    self.init(
      table["reason"].stringValue ?? "no reason given", code: table["code"].stringValue,
      place: place?.text(of: file))
  }
}
