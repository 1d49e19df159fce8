/// Finds responses that are read as if they were their JSON.
enum ResponseCheck {
  private static let members = ["status", "headers", "ok"]

  static func findings(_ text: PluginText) -> [PluginFinding] {
    let assigned = assignedNames(text)
    var findings: [PluginFinding] = []
    func isResponse(_ value: LuaExpression, _ scope: LuaScope) -> Bool {
      if let callee = value.callee { return ["http.get", "http.post"].contains(callee) }
      guard let name = value.nameValue, !assigned.contains(name) else { return false }
      return scope.local(name)?.value?.callee.map(["http.get", "http.post"].contains) ?? false
    }
    func add(_ line: Int, _ message: String, _ remedy: String) {
      findings.append(text.finding("unread-response", line: line, message, remedy: remedy))
    }
    var walk = LuaWalk()
    walk.expression = { value, place in
      switch value.kind {
      case .call(_, let arguments):
        guard let word = value.callee, ["pick", "text"].contains(word),
          place.scope.local(word) == nil, let answer = arguments.first,
          isResponse(answer, place.scope)
        else { return }
        add(
          value.line, "\(word) reads a response, whose JSON was not read.",
          "Read it with a colon: http.get(…):json().")
      case .index(let base, let key):
        guard isResponse(base, place.scope), let name = key.textValue, !members.contains(name)
        else { return }
        let isMethod = ["json", "text"].contains(name)
        add(
          value.line,
          isMethod
            ? "\(name) is called with a dot." : "A response has no \(name); its JSON was not read.",
          isMethod
            ? "Write a colon: http.get(…):\(name)()." : "Read it with a colon: http.get(…):json().")
      default: break
      }
    }
    walk.go(through: text.statements)
    return findings
  }

  /// The names that are assigned after their declaration, whose values are not known.
  private static func assignedNames(_ text: PluginText) -> Set<String> {
    var names = Set<String>()
    var walk = LuaWalk()
    walk.assignment = { target, _, _ in
      if let name = target.nameValue { names.insert(name) }
    }
    walk.go(through: text.statements)
    return names
  }
}
