/// Finds claims of a verified address that the vendor did not make.
enum VerifiedCheck {
  static func findings(_ text: PluginText) -> [PluginFinding] {
    var findings: [PluginFinding] = []
    let emails = Set(text.declaration.emailPaths)
    for path in text.declaration.emailVerifiedPaths
    where emails.contains(path) || VendorReads.lastName(of: path).map(MutableName.isEmail) == true {
      findings.append(
        text.finding(
          "verified-without-source", field: "identity.emailVerified",
          "\(path) is the address itself, and says nothing of its being verified.",
          remedy: remedy))
    }
    findings += ofAnother(text)
    var walk = LuaWalk()
    walk.expression = { value, place in
      for claim in Self.claims(value) {
        findings += Self.judged(claim, text, place)
      }
    }
    walk.assignment = { target, value, place in
      guard case .index(_, let key) = target.kind, let name = key.textValue, let value,
        Self.speaksOfVerification(name), place.isInFunction
      else { return }
      findings += Self.judged(value, text, place)
    }
    walk.go(through: text.statements)
    return findings
  }

  /// Finds a verification that is read from another element of a list than the address.
  private static func ofAnother(_ text: PluginText) -> [PluginFinding] {
    let emails = text.declaration.emailPaths.compactMap { PluginPath($0)?.element }
    return text.declaration.emailVerifiedPaths.compactMap { path in
      guard let word = PluginPath(path)?.element, !emails.isEmpty, !emails.contains(word),
        let other = emails.first(where: { $0.dropLast() == word.dropLast() })
      else { return nil }
      let pair = [other, word].compactMap(\.last).map { "\($0)" }
      return text.finding(
        "verified-of-another", field: "identity.emailVerified",
        "\(path) is about another element than the address: \(pair.joined(separator: " and ")).",
        remedy: "Choose the element in both paths by the same conditions.")
    }
  }

  /// The expressions for `emailVerified`: in `identity { … }`, or in a mapping's function.
  private static func claims(_ value: LuaExpression) -> [LuaExpression] {
    if value.callee == "identity", let claim = value.arguments.first?.field("emailVerified") {
      return [claim]
    }
    if value.callee == "provider",
      let claim = value.arguments.first?.field("identity")?.field("emailVerified"),
      let function = claim.function
    {
      let returned = VendorReads.returned(by: function).filter { !$0.isNil }
      // A function with a condition around one of its constants has a source.
      let isConstant = function.body.count == 1 && returned.count == 1
      return isConstant ? returned : []
    }
    return []
  }

  private static func judged(
    _ claim: LuaExpression, _ text: PluginText, _ place: LuaPlace
  ) -> [PluginFinding] {
    let value = claim.nameValue.flatMap { place.scope.local($0)?.value } ?? claim
    if value.isTrue, !place.isConditional {
      return [
        text.finding(
          "verified-without-source", line: claim.line, field: "emailVerified",
          "The address counts as verified without a word of the vendor.", remedy: remedy)
      ]
    }
    let names = VendorReads.names(in: Self.condition(of: value), place.scope)
    guard !names.isEmpty, names.allSatisfy(MutableName.isEmail), !place.isConditional else {
      return []
    }
    return [
      text.finding(
        "verified-without-source", line: claim.line, field: "emailVerified",
        "The address counts as verified only because it exists.", remedy: remedy)
    ]
  }

  /// The deciding part: in `me.email ~= nil and true`, the operand before the `and`.
  private static func condition(of value: LuaExpression) -> LuaExpression {
    if case .binary("and", let left, let right) = value.kind, right.isTrue { return left }
    if case .binary("or", let left, let right) = value.kind, right.constant != nil {
      return condition(of: left)
    }
    return value
  }

  private static func speaksOfVerification(_ name: String) -> Bool {
    let plain = name.lowercased().filter(\.isLetter)
    return ["emailverified", "isemailverified", "verifiedemail", "verified"].contains(plain)
  }

  private static let remedy =
    "Name the member of the vendor's answer that says it, or leave emailVerified out."
}

extension PluginPath {
  /// The steps to the last element of a list that the path chooses; nil without a list.
  fileprivate var element: [Step]? {
    let last = steps.lastIndex { step in
      if case .name = step { false } else { true }
    }
    return last.map { Array(steps[...$0]) }
  }
}

extension PluginPath.Step: CustomStringConvertible {
  /// The step as a path writes it.
  var description: String {
    switch self {
    case .name(let name): name
    case .position(let position): "[\(position)]"
    case .filter(let conditions): "[\(conditions.text)]"
    }
  }
}

extension LuaExpression {
  fileprivate var constant: String? {
    if case .constant(let word) = kind { word } else { nil }
  }
}
