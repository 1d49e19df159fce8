package import AuthCore
package import LuaRuntime

extension MergeConflict {
  static let exampleNames = [
    "code", "current", "existing", "proof", "provider", "now", "operation", "project", "tenant",
    "credential", "session",
  ]

  /// Makes the conflict of an example, each part as far as the example says it.
  init(example table: LuaTable, at now: Timestamp) throws {
    let code = table["code"].stringValue ?? AuthError.Code.credentialAlreadyInUse.rawValue
    guard table["code"].isNil || PolicyDeclaration.conflicts.map(\.rawValue).contains(code) else {
      let known = PolicyDeclaration.conflicts.map(\.rawValue)
      throw ExampleMismatch(
        "there is no conflict \"\(code)\"; \(suggestion(for: code, among: known))")
    }
    let scope = Scope(
      project: table["project"].stringValue ?? "example", tenant: table["tenant"].stringValue)
    let (current, ofCurrent) = try ExampleAccount.conflicting(
      "current", table["current"], in: scope)
    let (existing, ofExisting) = try ExampleAccount.conflicting(
      "existing", table["existing"], in: scope)
    self.init(
      code: AuthError.Code(code), current: current, existing: existing,
      provider: ProviderID(table["provider"].stringValue ?? "google.com"),
      proof: try Self.proof(table["proof"]),
      decidedAt: try Timestamp(example: table["now"], "now") ?? now)
    history = ConflictHistory(current: ofCurrent, existing: ofExisting)
    guard current.id != existing.id else {
      throw ExampleMismatch("current and existing have the same uid")
    }
    try readFacts(table)
  }

  /// Reads what is known beside the accounts: the operation, the credential and the session.
  package mutating func readFacts(_ table: LuaTable) throws {
    if !table["operation"].isNil {
      guard let operation = table["operation"].stringValue.flatMap(Operation.init(rawValue:)) else {
        let known = Operation.allCases.map(\.rawValue).joined(separator: ", ")
        throw ExampleMismatch("operation is one of \(known)")
      }
      self.operation = operation
    }
    let shown = try Self.part("credential", table, ["subject", "email", "emailVerified", "claims"])
    credential = ConflictCredential(
      subject: shown["subject"].stringValue, email: shown["email"].stringValue,
      emailVerified: shown["emailVerified"].boolValue ?? false,
      claims: shown["claims"].isNil ? .null : JSONValue(shown["claims"]) ?? .null)
    let held = try Self.part("session", table, ["signedInAt", "secondFactor", "approved"])
    session = ConflictSession(
      signedInAt: try Timestamp(example: held["signedInAt"], "session.signedInAt"),
      secondFactor: held["secondFactor"].boolValue ?? false)
    isApproved = held["approved"].boolValue ?? false
  }

  /// Reads the time of a conflict; nil if it is missing.
  package static func time(_ value: LuaValue) throws -> Timestamp? {
    try Timestamp(example: value, "now")
  }

  private static func part(
    _ name: String, _ table: LuaTable, _ names: [String]
  ) throws -> LuaTable {
    let value = table[name]
    guard !value.isNil else { return LuaTable() }
    guard let part = value.tableValue else {
      throw ExampleMismatch("\(name) is \(value.typeName), not a table")
    }
    try ExampleMismatch.check(part, names, name)
    return part
  }

  /// The accounts that were shown: both, unless the example says otherwise.
  package static func proof(_ value: LuaValue) throws -> MergeProof {
    guard !value.isNil else { return MergeProof(current: true, existing: true) }
    guard let table = value.tableValue else {
      throw ExampleMismatch("proof is \(value.typeName), not a table")
    }
    try ExampleMismatch.check(table, ["current", "existing", "both"], "proof")
    if let name = table.fields.keys.sorted().first(where: { table[$0].boolValue == nil }) {
      throw ExampleMismatch("proof.\(name) must be true or false")
    }
    let both = table["both"].boolValue
    return MergeProof(
      current: table["current"].boolValue ?? both ?? true,
      existing: table["existing"].boolValue ?? both ?? false)
  }
}
