/// Finds subjects that can change or pass to another person.
enum SubjectCheck {
  static func findings(_ text: PluginText) -> [PluginFinding] {
    var findings: [PluginFinding] = []
    let declared =
      text.declaration.subjectPaths.map { ("subject", $0) }
      + text.declaration.formerSubjectPaths.map { ("formerSubjects", $0) }
    for (field, path) in declared {
      guard let name = VendorReads.lastName(of: path) else { continue }
      if text.declaration.emailPaths.contains(path) || isAddress(path) {
        findings.append(
          text.finding(
            "mutable-subject", field: "identity.\(field)",
            "The subject is \(path), the address itself, which another person can get.",
            remedy: remedy))
        continue
      }
      guard MutableName.isMutable(name) else { continue }
      findings.append(
        text.finding(
          "mutable-subject", field: "identity.\(field)",
          "The subject is \(path), which a person can change and another person can get.",
          remedy: remedy))
    }
    var walk = LuaWalk()
    walk.expression = { value, place in
      for field in ["subject", "formerSubjects"] {
        guard let subject = Self.subject(value, field) else { continue }
        let names = VendorReads.names(in: subject, place.scope)
        guard let name = names.first(where: MutableName.isMutable) else { continue }
        findings.append(
          text.finding(
            "mutable-subject", line: subject.line, field: field,
            "The subject is made of \(name), which a person can change and another person can get.",
            remedy: remedy))
      }
    }
    walk.go(through: text.statements)
    return findings
  }

  /// Tells whether a path leads to an address inside of something named like one: `data.mail.address`.
  private static func isAddress(_ path: String) -> Bool {
    let names = (PluginPath(path)?.steps ?? []).compactMap { step in
      if case .name(let name) = step { name } else { nil }
    }
    return names.dropLast().contains(where: MutableName.isEmail)
      && names.last.map { ["address", "value", "text", "addr"].contains($0.lowercased()) } == true
  }

  /// The field of `identity { … }` in a function, or the function that fills it in a mapping.
  private static func subject(_ value: LuaExpression, _ field: String) -> LuaExpression? {
    if value.callee == "identity" { return value.arguments.first?.field(field) }
    if value.callee == "provider" {
      let subject = value.arguments.first?.field("identity")?.field(field)
      return subject?.function == nil ? nil : subject
    }
    return nil
  }

  private static let remedy =
    "Use the identifier that the vendor never changes, such as id, sub or user_id."
}
