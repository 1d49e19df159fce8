/// Finds `pcall` around calls that end a sign-in: catching their error does not prevent the end.
enum CatchCheck {
  static func findings(_ text: PluginText) -> [PluginFinding] {
    var findings: [PluginFinding] = []
    var walk = LuaWalk()
    walk.expression = { value, place in
      guard let callee = value.callee, callee == "pcall" || callee == "xpcall",
        place.scope.local(callee) == nil
      else { return }
      for word in words(in: value.arguments, place.scope) {
        findings.append(
          text.finding(
            "caught-failure", .warning, line: value.line,
            "\(callee) does not catch a failure of \(word), which ends the sign-in.",
            remedy: word.hasPrefix("http")
              ? "Leave \(callee) out; list a status that is an answer in statuses."
              : "Leave \(callee) out."))
      }
    }
    walk.go(through: text.statements)
    return findings
  }

  /// The calls inside protected functions that can end a sign-in.
  private static func words(in arguments: [LuaExpression], _ scope: LuaScope) -> [String] {
    var words: [String] = []
    var walk = LuaWalk()
    walk.expression = { value, _ in
      guard let name = value.dottedName, isEnding(name), !words.contains(name) else { return }
      words.append(name)
    }
    let called = arguments.map { argument in
      argument.nameValue.flatMap { scope.local($0)?.value } ?? argument
    }
    walk.go(through: called.map { LuaStatement(kind: .expression($0), line: $0.line) })
    return words
  }

  private static func isEnding(_ name: String) -> Bool {
    ["refuse", "jwt.verify", "jwt.event", "jwt.events", "oauth.exchange"].contains(name)
      || (name.hasPrefix("http.") && name.split(separator: ".").count == 2)
  }
}
