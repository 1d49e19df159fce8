/// Finds subjects that can change or pass to another person.
enum SubjectCheck {
  static func findings(_ text: PluginText) -> [PluginFinding] {
    var findings: [PluginFinding] = []
    let declared =
      text.declaration.subjectPaths.map { ("subject", $0) }
      + text.declaration.formerSubjectPaths.map { ("formerSubjects", $0) }
    for (field, path) in declared {
      guard let name = VendorReads.lastName(of: path), MutableName.isMutable(name) else { continue }
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
