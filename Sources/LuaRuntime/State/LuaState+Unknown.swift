import CLuaShim

extension LuaState {
  /// The cost of an unknown name in steps of the budget, because the nearest name is looked for.
  private static let costOfExplanation = 200

  /// Installs the function that explains unknown names.
  func explainUnknownNames() {
    let explain = HostFunction("unknown", objects) { call in
      try call.charge(Self.costOfExplanation)
      let name = try call.string(1)
      let known = try call.table(2).array.compactMap(\.stringValue)
      let library = try call.optionalString(3)
      return .values([.string(Self.explanation(of: name, in: library, among: known))])
    }
    pushFunction(explain, current)
    ls_keep_explanation(current)
  }

  private static func explanation(
    of name: String, in library: String?, among known: [String]
  ) -> String {
    let shown = name.utf8.count > 64 ? String(name.unicodeScalars.prefix(64)) + "…" : name
    let problem = library.map { "no field '\(shown)' in \($0)" } ?? "'\(shown)' is not defined"
    // The nearest name of one that the sandbox leaves out is not what is meant.
    if library == nil, let explanation = AbsentName.explanation(of: name) {
      return "\(problem); \(explanation)"
    }
    guard let nearest = Spelling.nearest(to: name, among: known) else { return problem }
    return "\(problem); did you mean '\(nearest)'?"
  }
}
