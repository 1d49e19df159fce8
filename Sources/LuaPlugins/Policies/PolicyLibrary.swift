import AuthCore
import LuaRuntime

/// The functions of a policy file: `policy`, `merge`, `oldest` and `newest`; extensions have the other words.
///
/// Each checks its arguments at once, so that an error has the right line.
struct PolicyLibrary {
  let state: LuaState
  let environment: LuaReference
  /// The name of the file, for messages.
  let file: String
  /// The files of the policy.
  let parts: PolicyBundle
  /// The conflict that is decided.
  let current: CurrentConflict
  /// Receives the table that the file declares.
  let declare: (LuaReference, LuaCall) throws -> Void

  func install() throws(LuaError) {
    let included = try compiledFiles()
    try add("policy") { call in
      let table = try call.reference(1, "declaration")
      if included.depth == 0 { try declare(table, call) }
      return .values([.reference(table)])
    }
    try add("merge") { [file] in try Self.merge($0, of: file) }
    try add("oldest") { .arguments(try Self.firstIsOlder($0) ? [1, 2] : [2, 1]) }
    try add("newest") { .arguments(try Self.firstIsOlder($0) ? [2, 1] : [1, 2]) }
    try installAnswers()
    try installAccounts()
    try installFiles(included)
  }

  func add(
    _ name: String, _ body: @escaping (LuaCall) throws -> LuaOutcome
  ) throws(LuaError) {
    let function = state.yieldingFunction(named: name, body)
    try state.set(name, to: .function(function), in: environment)
  }

  /// Makes a plan; if a value in it is a refusal, the answer is that refusal.
  private static func merge(_ call: LuaCall, of file: String) throws -> LuaOutcome {
    var unknown: [String] = []
    var refusal: MergeRefusal?
    try call.eachField(of: 1, "plan") { name, value in
      if let name, planNames.contains(name) { return }
      if let name { unknown.append(name) }
      refusal = try refusal ?? MergeRefusal(in: try value(), call.state, of: file)
    }
    let fields = try PlanFields(call, of: file)
    if let refusal = refusal ?? fields.refusal { return PolicyAnswer.refuse(refusal).outcome }
    try refuseUnknown(unknown, among: planNames, of: "merge", call)
    let dropped = try call.field("dropIdentities", of: 1, .copies)
    if let refusal = try MergeRefusal(in: dropped, call.state, of: file) {
      return PolicyAnswer.refuse(refusal).outcome
    }
    guard dropped.isNil || dropped.tableValue?.fields.isEmpty == true else {
      throw call.argumentError(1, "dropIdentities must be a list")
    }
    let identities = try call.field("identities", of: 1, .copies)
    guard identities.isNil || identities.tableValue?.array.isEmpty == true else {
      throw call.argumentError(1, "identities must be a table of rules by provider")
    }
    let (into, from): (String, String)
    switch (try account("into", call, of: file), try account("from", call, of: file)) {
    case (.refused(let refusal), _), (_, .refused(let refusal)):
      return PolicyAnswer.refuse(refusal).outcome
    case (.uid(let keep), .uid(let absorb)): (into, from) = (keep, absorb)
    }
    guard into != from else {
      throw call.argumentError(1, "into and from are the same account")
    }
    return PolicyAnswer.merge(
      PolicyMerge(
        into: into, from: from, fields: fields, dropIdentities: dropped.tableValue,
        identities: try identities.tableValue.map { try IdentityRules($0) } ?? IdentityRules())
    ).outcome
  }

  private static let planNames = ["into", "from", "fields", "dropIdentities", "identities"]

  private enum Named {
    case uid(String)
    case refused(MergeRefusal)
  }

  /// The account under a name in the plan, or a refusal in its place.
  private static func account(
    _ name: String, _ call: LuaCall, of file: String
  ) throws -> Named {
    if let record = call.untouchedRecord(1, field: name) as? AccountRecord {
      return .uid(record.account.id.rawValue)
    }
    if let uid = try call.field(name, "uid", of: 1).stringValue { return .uid(uid) }
    if let refusal = try MergeRefusal(in: try call.field(name, of: 1), call.state, of: file) {
      return .refused(refusal)
    }
    throw call.argumentError(
      1, "\(name) must be one of the two accounts, conflict.current or conflict.existing")
  }

  /// Compares two accounts by `createdAt`, and by uid if the times are equal, so that the answer is stable.
  private static func firstIsOlder(_ call: LuaCall) throws -> Bool {
    func age(_ index: Int) throws -> (Int64, String) {
      if let record = call.untouchedRecord(index) as? AccountRecord {
        return (record.account.createdAt.milliseconds, record.account.id.rawValue)
      }
      guard let createdAt = try call.field("createdAt", of: index).integerValue else {
        throw call.argumentError(index, "it is not an account")
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

/// The declaration of a policy file.
struct PolicyDeclaration {
  let name: String
  let triggers: Set<AuthError.Code>
  let examples: [LuaTable]
  /// True if the policy also decides about unproven accounts; its merge is then only an offer.
  let answersUnproven: Bool

  /// True if the file declares that its answer depends on the side of an account.
  let dependsOnSide: Bool

  private static let bySide = "by side"
  static let conflicts: [AuthError.Code] = [.credentialAlreadyInUse, .emailAlreadyInUse]

  init(_ table: LuaReference, _ call: LuaCall) throws {
    let copy = try call.table(1, "declaration")
    try PolicyLibrary.refuseUnknown(
      Array(copy.fields.keys), among: ["name", "on", "decide", "examples", "unproven", "survivor"],
      of: "policy", call)
    guard let name = copy["name"].stringValue, !name.isEmpty else {
      throw call.argumentError(1, "a policy needs a name")
    }
    guard copy["decide"].functionValue != nil else {
      throw call.argumentError(1, "a policy needs decide = function(conflict) … end")
    }
    let listed = copy["on"].tableValue?.array ?? []
    let codes = listed.compactMap(\.stringValue)
    let known = Self.conflicts.map(\.rawValue)
    guard codes.count == listed.count else {
      throw call.argumentError(
        1, "on must be a list of conflicts: \(known.joined(separator: ", "))")
    }
    if let unknown = codes.first(where: { !known.contains($0) }) {
      throw call.argumentError(
        1, "on has the unknown conflict \"\(unknown)\"; \(suggestion(for: unknown, among: known))")
    }
    guard !codes.isEmpty else {
      throw call.argumentError(1, "a policy needs on = { \"credential-already-in-use\", … }")
    }
    self.name = name
    triggers = Set(codes.map { AuthError.Code($0) })
    guard copy["unproven"].isNil || copy["unproven"].boolValue != nil else {
      throw call.argumentError(1, "unproven must be true or false")
    }
    answersUnproven = copy["unproven"].boolValue ?? false
    guard copy["survivor"].isNil || copy["survivor"].stringValue == Self.bySide else {
      throw call.argumentError(1, "survivor must be \"\(Self.bySide)\"")
    }
    dependsOnSide = !copy["survivor"].isNil
    let examples = copy["examples"].tableValue
    self.examples = examples?.array.compactMap(\.tableValue) ?? []
    guard
      copy["examples"].isNil
        || (examples?.fields.isEmpty == true && self.examples.count == examples?.array.count)
    else { throw call.argumentError(1, "examples must be a list of tables") }
  }
}
