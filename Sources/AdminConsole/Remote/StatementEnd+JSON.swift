import AuthCore
import LuaPlugins
import LuaRuntime

extension StatementEnd {
  /// The end as a member of an answer.
  var json: JSONValue {
    var members: [String: JSONValue] = [:]
    if let error { members["error"] = error.members }
    if let exit { members["exit"] = .integer(Int64(exit.status)) }
    if isInterrupted { members["isInterrupted"] = true }
    if mayHoldSecret { members["mayHoldSecret"] = true }
    members["rehearsed"] = rehearsedCount.map { .integer(Int64($0)) }
    return .object(members)
  }

  init(_ json: JSONValue) {
    self.init(
      error: json["error"].map { ErrorText(members: $0) },
      exit: json["exit"]?.count.map { ScriptExit(status: Int32(clamping: $0)) },
      isInterrupted: json["isInterrupted"] == true, mayHoldSecret: json["mayHoldSecret"] == true,
      rehearsedCount: json["rehearsed"]?.count)
  }
}

extension ConsoleStatement {
  /// The statement as members of a request.
  var members: [String: JSONValue] {
    switch origin {
    case .prompt: ["code": .string(code)]
    case .input(let name, let before):
      ["code": .string(code), "name": .string(name), "linesBefore": .integer(Int64(before))]
    case .start(let name): ["code": .string(code), "name": .string(name), "isStart": true]
    case .script(let file, let arguments):
      [
        "code": .string(code), "name": .string(file),
        "arguments": .array(arguments.map(JSONValue.string)),
      ]
    }
  }

  /// Reads a statement; throws `invalid-argument` without code, or if it is longer than a script may be.
  init(_ body: JSONValue) throws(AuthError) {
    let code: LuaSource
    do {
      code = try LuaSource(body["code"]?.stringValue ?? "")
    } catch {
      throw AuthError(error, in: "The statement", field: "code")
    }
    guard let name = body["name"]?.stringValue else {
      self.init(code.text, .prompt)
      return
    }
    guard body["isStart"] != true else {
      self.init(code.text, .start(name: name))
      return
    }
    if case .array(let arguments)? = body["arguments"] {
      self.init(
        code.text, .script(file: name, arguments: arguments.map { $0.stringValue ?? "" }))
      return
    }
    let before = max(0, body["linesBefore"]?.count ?? 0)
    self.init(code.text, .input(name: name, linesBefore: before))
  }
}
