/// Finds digests and MACs that are compared with `==`, whose duration reveals how much of them was right.
enum ComparisonCheck {
  static func findings(_ text: PluginText) -> [PluginFinding] {
    var findings: [PluginFinding] = []
    var walk = LuaWalk()
    walk.expression = { value, place in
      let sides: [LuaExpression]
      let sign: String
      switch value.kind {
      case .binary("==", let left, let right): (sign, sides) = ("==", [left, right])
      case .binary("~=", let left, let right): (sign, sides) = ("~=", [left, right])
      default: return
      }
      guard !sides.contains(where: \.isNil), sides.contains(where: { isDigest($0, place.scope) })
      else { return }
      findings.append(
        text.finding(
          "open-comparison", .warning, line: value.line,
          "\(sign) compares a digest in variable time, which helps an attacker to guess it.",
          remedy: "Write hash.equals(a, b), which takes the same time for all."))
    }
    walk.go(through: text.statements)
    return findings
  }

  private static func isDigest(_ value: LuaExpression, _ scope: LuaScope, depth: Int = 0) -> Bool {
    guard depth < 8 else { return false }
    switch value.kind {
    case .call:
      if let callee = value.callee, callee.hasPrefix("hash."), callee != "hash.equals" {
        return true
      }
      // Such as string.lower(…) or base64.encode(…) around it.
      return value.callee?.contains(".") == true
        && value.arguments.contains { isDigest($0, scope, depth: depth + 1) }
    case .method(let base, _, _): return isDigest(base, scope, depth: depth + 1)
    case .name(let name):
      return scope.local(name)?.value.map { isDigest($0, scope, depth: depth + 1) } ?? false
    default: return false
    }
  }
}
