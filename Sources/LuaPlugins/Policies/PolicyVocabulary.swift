import AuthCore
import LuaRuntime

/// The words of a policy file: `policy`, `merge`, `refuse`, `oldest` and `newest`.
///
/// Each checks what it is given at once, so that a mistake is told with its line.
struct PolicyVocabulary {
  let state: LuaState
  let environment: LuaReference
  /// Takes what the file declares.
  let declare: (PolicyDeclaration) -> Void

  func install() throws(LuaError) {
    try add("policy") { call in
      let table = try call.reference(1, "declaration")
      declare(try PolicyDeclaration(table, call))
      return .values([.reference(table)])
    }
    try add("merge", Self.merge)
    try add("refuse") { call in
      PolicyAnswer.refuse(try call.string(1, "reason")).outcome
    }
    try add("oldest") { .arguments(try Self.firstIsOlder($0) ? [1, 2] : [2, 1]) }
    try add("newest") { .arguments(try Self.firstIsOlder($0) ? [2, 1] : [1, 2]) }
  }

  private func add(
    _ name: String, _ body: @escaping (LuaCall) throws -> LuaOutcome
  ) throws(LuaError) {
    let function = state.yieldingFunction(named: name, body)
    try state.set(name, to: .function(function), in: environment)
  }

  private static func merge(_ call: LuaCall) throws -> LuaOutcome {
    var unknown: [String] = []
    try call.eachField(of: 1, "plan") { name, _ in
      if let name, !planNames.contains(name) { unknown.append(name) }
    }
    try refuseUnknown(unknown, among: planNames, of: "merge", call)
    let into = try uid("into", call)
    let from = try uid("from", call)
    let dropped = try call.field("dropIdentities", of: 1, .copies)
    guard dropped.isNil || dropped.tableValue?.fields.isEmpty == true else {
      throw call.argumentError(1, "dropIdentities is a list")
    }
    return PolicyAnswer.merge(
      into: into, from: from, fields: try PlanFields(call), dropIdentities: dropped.tableValue
    ).outcome
  }

  private static let planNames = ["into", "from", "fields", "dropIdentities"]

  /// The account that the plan has under a name.
  private static func uid(_ name: String, _ call: LuaCall) throws -> String {
    if let record = call.untouchedRecord(1, field: name) as? AccountRecord {
      return record.account.id.rawValue
    }
    guard let uid = try call.field(name, "uid", of: 1).stringValue else {
      throw call.argumentError(
        1, "\(name) has to be one of the two accounts, conflict.current or conflict.existing")
    }
    return uid
  }

  /// Compares two accounts by `createdAt`; the uid decides between equals, so that the answer never wavers.
  private static func firstIsOlder(_ call: LuaCall) throws -> Bool {
    func age(_ index: Int) throws -> (Int64, String) {
      if let record = call.untouchedRecord(index) as? AccountRecord {
        return (record.account.createdAt.milliseconds, record.account.id.rawValue)
      }
      guard let createdAt = try call.field("createdAt", of: index).integerValue else {
        throw call.argumentError(index, "it is no account")
      }
      return (createdAt, try call.field("uid", of: index).stringValue ?? "")
    }
    return try age(1) <= age(2)
  }

  static func refuseUnknown(
    _ given: [String], among names: [String], of function: String, _ call: LuaCall
  ) throws {
    guard let unknown = given.filter({ !names.contains($0) }).min() else { return }
    throw call.argumentError(
      1, "\(function) has no \"\(unknown)\"; \(suggestion(for: unknown, among: names))")
  }
}

/// What a policy file says about itself.
struct PolicyDeclaration {
  let name: String
  let triggers: Set<AuthError.Code>
  let decide: LuaFunction
  let examples: [LuaTable]

  private static let conflicts: [AuthError.Code] = [.credentialAlreadyInUse, .emailAlreadyInUse]

  init(_ table: LuaReference, _ call: LuaCall) throws {
    let copy = try call.table(1, "declaration")
    try PolicyVocabulary.refuseUnknown(
      Array(copy.fields.keys), among: ["name", "on", "decide", "examples"], of: "policy", call)
    guard let name = copy["name"].stringValue, !name.isEmpty else {
      throw call.argumentError(1, "a policy needs a name")
    }
    guard let decide = copy["decide"].functionValue else {
      throw call.argumentError(1, "a policy needs decide = function(conflict) … end")
    }
    let codes = copy["on"].tableValue?.array.compactMap(\.stringValue) ?? []
    let known = Self.conflicts.map(\.rawValue)
    if let unknown = codes.first(where: { !known.contains($0) }) {
      throw call.argumentError(
        1, "on names no conflict \"\(unknown)\"; \(suggestion(for: unknown, among: known))")
    }
    guard !codes.isEmpty else {
      throw call.argumentError(1, "a policy needs on = { \"credential-already-in-use\", … }")
    }
    self.name = name
    self.decide = decide
    triggers = Set(codes.map { AuthError.Code($0) })
    examples = copy["examples"].tableValue?.array.compactMap(\.tableValue) ?? []
  }
}
