import AuthCore
import LuaRuntime

/// Finds undefined names: globals, settings and fields of credentials that do not exist.
enum NameCheck {
  /// The globals that a plug-in can use without declaring them.
  static let globals: Set<String> = [
    "_VERSION", "assert", "base64", "coroutine", "error", "field", "getmetatable", "hash",
    "identity", "include", "ipairs", "json", "jwt", "log", "math", "next", "oauth", "once", "pairs",
    "pcall", "pick", "provider", "rawequal", "rawget", "rawlen", "rawset", "refuse", "secret",
    "select",
    "setmetatable", "setting", "string", "table", "text", "time", "tonumber", "tostring", "type",
    "url", "utf8", "verify", "xpcall",
  ]

  static func findings(_ text: PluginText) -> [PluginFinding] {
    var findings: [PluginFinding] = []
    // A forgotten local is one fault, however often the name is used.
    var written = Set<String>()
    var walk = LuaWalk()
    walk.expression = { value, place in
      guard let name = value.nameValue, place.scope.local(name) == nil, !globals.contains(name)
      else { return }
      let known = globals.union(place.scope.names)
      findings.append(
        text.finding(
          "unknown-global", line: value.line, field: name,
          "There is no \"\(name)\" here: it is always nil.",
          remedy: absence(of: name)
            ?? nearestName(to: name, among: known.sorted()).map { "Did you mean \"\($0)\"?" }
            ?? "Declare it with local."))
    }
    walk.assignment = { target, _, place in
      guard let name = target.nameValue, place.scope.local(name) == nil,
        written.insert(name).inserted
      else { return }
      findings.append(
        text.finding(
          "global-write", line: target.line, field: name,
          "\"\(name)\" is no local, and only locals can be written.",
          remedy: nearestName(to: name, among: place.scope.names.sorted())
            .map { "Did you mean \"\($0)\"?" } ?? "Write local \(name) = …"))
    }
    walk.go(through: text.statements)
    return findings.filter { finding in
      finding.code != "unknown-global" || !written.contains(finding.field ?? "")
    } + parameters(text)
  }

  /// Returns what takes the place of a name that the sandbox leaves out, as a sentence.
  private static func absence(of name: String) -> String? {
    AbsentName.explanation(of: name).map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }
  }

  /// The fields of the table that `authorize` gets.
  private static let requestFields = ["codeChallenge", "nonce", "redirectURI", "state"]

  /// Finds undeclared fields that functions read from their parameters.
  private static func parameters(_ text: PluginText) -> [PluginFinding] {
    let settings = text.declaration.settings.map(\.name)
    let fields = text.declaration.builders.flatMap { $0.fields.map(\.name) } + ["builder"]
    let settingsAt = [
      "verify": 2, "profile": 3, "app": 2, "authorize": 1, "events": 2,
    ]
    return text.functions.sorted { $0.key < $1.key }.flatMap { place, function in
      var findings: [PluginFinding] = []
      if let position = settingsAt[place], function.parameters.indices.contains(position) {
        findings += reads(
          of: function.parameters[position], in: function, text, among: settings,
          code: "unknown-setting", what: "setting")
      }
      if place == "authorize", let request = function.parameters.first {
        findings += reads(
          of: request, in: function, text, among: requestFields, code: "unknown-request-field",
          what: "field of the request")
      }
      if place == "verify", let credential = function.parameters.first {
        findings += reads(
          of: credential, in: function, text, among: fields, code: "unknown-credential-field",
          what: "field of a credential")
      }
      return findings
    }
  }

  private static func reads(
    of parameter: String, in function: LuaFunctionText, _ text: PluginText,
    among names: [String], code: String, what: String
  ) -> [PluginFinding] {
    var findings: [PluginFinding] = []
    var walk = LuaWalk()
    walk.expression = { value, place in
      guard case .index(let base, let key) = value.kind, base.nameValue == parameter,
        place.scope.local(parameter) == nil, let name = key.textValue, !names.contains(name)
      else { return }
      findings.append(
        text.finding(
          code, line: value.line, field: name, "There is no \(what) \"\(name)\".",
          remedy: suggestion(for: name, among: names)))
    }
    walk.go(through: function.body)
    return findings
  }
}
