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
      return [.reference(table)]
    }
    try add("merge") { call in [.table(try Self.merge(call))] }
    try add("refuse") { call in
      [["answer": "refuse", "reason": .string(try call.string(1, "reason"))]]
    }
    try add("oldest") { call in
      let pair = try Self.byAge(call)
      return [.reference(pair.older), .reference(pair.newer)]
    }
    try add("newest") { call in
      let pair = try Self.byAge(call)
      return [.reference(pair.newer), .reference(pair.older)]
    }
  }

  private func add(
    _ name: String, _ body: @escaping (LuaCall) throws -> [LuaValue]
  ) throws(LuaError) {
    try state.set(name, to: .function(state.function(named: name, body)), in: environment)
  }

  private static func merge(_ call: LuaCall) throws -> LuaTable {
    // The accounts in it are whole tables, of which only the names are of use.
    var options = try call.table(1, "plan", .fields)
    let names = ["into", "from", "fields", "dropIdentities"]
    try refuseUnknown(options, among: names, of: "merge", call)
    var answer = LuaTable(fields: ["answer": "merge"])
    for name in ["into", "from"] {
      guard let account = options[name].referenceValue,
        let uid = call.state.field("uid", of: account).stringValue
      else {
        throw call.argumentError(
          1, "\(name) has to be one of the two accounts, conflict.current or conflict.existing")
      }
      answer[name] = .string(uid)
    }
    for name in ["fields", "dropIdentities"] where !options[name].isNil {
      if let reference = options[name].referenceValue {
        options[name] = try call.copy(of: reference)
      }
      guard let table = options[name].tableValue,
        name == "fields" ? table.array.isEmpty : table.fields.isEmpty
      else {
        throw call.argumentError(1, "\(name) is a \(name == "fields" ? "table of names" : "list")")
      }
    }
    for (name, rule) in options["fields"].tableValue?.fields ?? [:] {
      let field = try MergeField(named: name)
      if let rule = rule.stringValue {
        _ = try FieldRule(name: rule, field: field)
      } else if rule.functionValue == nil {
        throw call.argumentError(
          1, "fields.\(name) is \(rule.typeName), not the name of a rule or a function")
      }
    }
    answer["fields"] = options["fields"]
    answer["dropIdentities"] = options["dropIdentities"]
    return answer
  }

  /// The two accounts by `createdAt`; the uid decides between equals, so that the answer never wavers.
  private static func byAge(
    _ call: LuaCall
  ) throws -> (older: LuaReference, newer: LuaReference) {
    let accounts = [try call.reference(1, "account"), try call.reference(2, "account")]
    let ages = try accounts.enumerated().map { index, account in
      guard account.typeName == "table",
        let createdAt = call.state.field("createdAt", of: account).integerValue
      else { throw call.argumentError(index + 1, "it is no account") }
      return (createdAt, call.state.field("uid", of: account).stringValue ?? "")
    }
    return ages[0] <= ages[1] ? (accounts[0], accounts[1]) : (accounts[1], accounts[0])
  }

  static func refuseUnknown(
    _ table: LuaTable, among names: [String], of function: String, _ call: LuaCall
  ) throws {
    guard let unknown = table.fields.keys.sorted().first(where: { !names.contains($0) }) else {
      return
    }
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
      copy, among: ["name", "on", "decide", "examples"], of: "policy", call)
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
