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
    if table["remedy"].isNil {
      table["remedy"] = .optional(Newcomer.remedy(for: table["message"].stringValue ?? ""))
    }
    if error.value?.tableValue != nil, table["place"].isNil {
      table["place"] = .optional(error.place)
    }
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
    // A message of Lua or of Firebase's wire may end without a full stop.
    let stop = message.last.map { $0.isPunctuation && !"'\"".contains($0) } == true ? "" : "."
    let advice = remedy.map { "\(stop) \($0)" } ?? ""
    return "\(code)\(place): \(message)\(advice)\(origin)"
  }

  /// The line of the script, and the account; empty at a prompt, where both are in sight.
  private var origin: String {
    guard let place = table["place"].stringValue else { return "" }
    let account = table["account"].stringValue.map { ", account \($0)" } ?? ""
    return " (\(place)\(account))"
  }

  private var json: String {
    var members: [String: JSONValue] = [
      "code": .string(code), "message": .string(message), "remedy": .optional(remedy),
      "field": .optional(field), "id": .optional(eventID),
    ]
    for name in ["place", "account"] {
      if let text = table[name].stringValue { members[name] = .string(text) }
    }
    return JSONValue.object(["error": .object(members)]).text
  }

  /// Prints the error to standard error.
  package func printed(asJSON: Bool) {
    // A failure to write to standard error cannot be reported.
    if asJSON {
      try? TextOutput.standardError.write(json: json.utf8)
    } else {
      let output = TextOutput.standardError
      try? output.write(Prose(line, style: .bad).painted(for: output.profile))
    }
  }
}

extension LuaError {
  /// The script and the line; nil for an input of one line, which is in sight.
  fileprivate var place: String? {
    guard let script, let line, line > 1 || !["console", "-e", "stdin"].contains(script) else {
      return nil
    }
    return "\(script):\(line)"
  }
}

/// Remedies for what newcomers to Lua or to the console write.
private enum Newcomer {
  private static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "for", "function", "goto", "if", "in", "local",
    "not", "or", "repeat", "return", "then", "until", "while", "nil", "true", "false",
  ]

  /// Returns the remedy for a message of Lua; nil if there is nothing to add.
  static func remedy(for message: String) -> String? {
    if message.contains("attempt to index a nil value")
      || message.contains("attempt to call a nil value")
    {
      return "The value before it is nil, as accounts.get returns for an unknown account."
    }
    if message.contains("near '@'") {
      return "Write an address in quotes: \"ada@example.com\"."
    }
    if message.contains("unexpected symbol near 'until'") {
      return "until is a keyword of Lua. In audit.find, write before = \"2026-11-01\"."
    }
    let near = message.firstMatch(of: /syntax error near '([A-Za-z_][A-Za-z_0-9]*)'$/)
    if let name = near?.output.1, !keywords.contains(String(name)) {
      return "If \(name) is a text, write it in quotes: \"\(name)\"."
    }
    if let name = message.firstMatch(of: /'([^']+)' is not defined$/)?.output.1 {
      return "If \(name) is a text, write it in quotes: \"\(name)\"."
    }
    return nil
  }
}

/// A refusal of a change of an account, with the uid that tells which account of a loop it was.
struct AccountRefusal: LuaErrorConvertible {
  let error: AuthError
  let account: AccountID

  /// Runs a change of an account; a refusal names it.
  static func naming<Result>(_ account: AccountID, _ change: () throws -> Result) throws -> Result {
    do { return try change() } catch let error as AuthError {
      throw AccountRefusal(error: error, account: account)
    }
  }

  func luaError() -> LuaTable {
    var table = error.luaError()
    table["account"] = .string(account.rawValue)
    return table
  }
}

extension LuaObjectType {
  /// Adds a method of an account whose refusals name the account.
  mutating func change(_ name: String, _ body: @escaping (LuaCall) throws -> [LuaValue]) {
    method(name) { call in
      let handle = try call.object(1, as: AccountHandle.self, type: "account")
      return try AccountRefusal.naming(handle.id) { try body(call) }
    }
  }
}

extension ErrorText {
  /// The texts of the error, by name, to send to another machine.
  var members: JSONValue {
    let texts = table.fields.compactMapValues(\.stringValue).mapValues { JSONValue.string($0) }
    return .object(texts.merging(["message": .string(message)]) { own, _ in own })
  }

  /// Reads an error that another machine sent.
  init(members: JSONValue) {
    var table = LuaTable()
    if case .object(let texts) = members {
      for (name, value) in texts { table[name] = .optional(value.stringValue) }
    }
    self.init(table, fallback: "The server sent no message.")
  }
}
