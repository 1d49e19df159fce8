package import AuthCore
import LuaPlugins
import LuaRuntime
import TerminalOutput

/// An error as an admin sees it: one line with code, field, message and remedy.
package struct ErrorText {
  let code: String
  let message: String
  let remedy: String?
  let field: String?
  let eventID: String?
  /// The table that a script would catch, for `lastError`.
  let table: LuaTable

  package init(_ error: AuthError) {
    self.init(error.luaError(), fallback: "\(error)")
  }

  init(_ error: LuaError) {
    var table = error.value?.tableValue ?? LuaTable()
    if error.code == .interrupted { table["message"] = "stopped by Ctrl-C" }
    if table["message"].isNil {
      table["message"] = .string(error.value?.stringValue ?? error.description)
    }
    if table["code"].isNil { table["code"] = .string("\(error.code)") }
    self.init(table, fallback: error.description)
  }

  private init(_ table: LuaTable, fallback: String) {
    code = table["code"].stringValue ?? "error"
    message = table["message"].stringValue ?? fallback
    remedy = table["remedy"].stringValue
    field = table["field"].stringValue
    eventID = table["id"].stringValue
    self.table = table
  }

  /// The error as one line.
  var line: String {
    let place = field.map { " (\($0))" } ?? ""
    let advice = remedy.map { " \($0)" } ?? ""
    return "\(code)\(place): \(message)\(advice)"
  }

  private var json: String {
    JSONValue.object([
      "error": .object([
        "code": .string(code), "message": .string(message), "remedy": .optional(remedy),
        "field": .optional(field), "id": .optional(eventID),
      ])
    ]).text
  }

  /// Prints the error to standard error.
  package func printed(asJSON: Bool) {
    // A failure to write to standard error cannot be reported.
    if asJSON {
      try? TextOutput.standardError.write(json: json.utf8)
    } else {
      try? TextOutput.standardError.write(PaintedText(line: line, style: .bad))
    }
  }
}
