// The parts of an account that write their own JSON instead of by a field list: two keys and a choice.

extension Scope: JSONRecord, FieldValue {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("project", project)
    writer.member("tenant", tenant)
  }
}

extension IdentityKey: JSONRecord, FieldValue {
  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("issuer", issuer)
    writer.member("provider", provider.rawValue)
    writer.member("subject", subject)
  }
}

extension SecondFactor.Kind: JSONRecord, FieldValue {
  package func writeMembers(_ writer: inout JSONWriter) {
    switch self {
    case .phone(let number):
      writer.name("phone")
      writer.object { $0.member("_0", number.text) }
    case .totp:
      writer.name("totp")
      writer.object { _ in }
    }
  }
}
