/// Finds digests and MACs that are compared with `==`, whose duration reveals how many leading bytes are equal.
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
          "A digest is compared with \(sign), whose duration reveals how many leading bytes are equal.",
          remedy: "Write hash.equals(a, b), whose duration does not depend on the bytes."))
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
      // A digest inside another call, such as string.lower(…) or base64.encode(…).
      return value.callee?.contains(".") == true
        && value.arguments.contains { isDigest($0, scope, depth: depth + 1) }
    case .method(let base, _, _): return isDigest(base, scope, depth: depth + 1)
    case .name(let name):
      return scope.local(name)?.value.map { isDigest($0, scope, depth: depth + 1) } ?? false
    default: return false
    }
  }
}
