public import AuthCore
import LuaRuntime

/// The result of one example in a policy file.
public struct PolicyExampleResult: Sendable, Hashable {
  /// The name of the example.
  public let name: String
  /// The reason of the failure; nil if the example passed.
  public let failure: String?
  /// The policy's answer in one line: the merge with the fields that it decides, or the reason of a refusal; nil if the
  /// policy gave none.
  public let answer: String?
  /// The lines that the policy logged: level, file and line, text.
  public let log: [String]

  /// True if the example did not fail.
  public var passed: Bool { failure == nil }
}

extension LuaMergePolicy {
  /// Runs the examples of a policy file; throws `invalid-policy` if the file itself is at fault.
  ///
  /// Each example is decided by its own run of the file. Its time is its `now`, or the time of this call if it has
  /// none. An example has `current`, `existing` and `proof`, each as far as it matters, and `expect`. That is
  /// either `into` ("current" or "existing") with any fields of the result, or `refuse`, a part of the reason or
  /// true. `json.null` expects that a field is absent. Without `proof` both accounts were shown; without `code` and
  /// `provider` the conflict is `credential-already-in-use` of `google.com`.
  public static func runExamples(
    of source: PolicySource, at now: Timestamp = .now()
  ) throws(AuthError) -> [PolicyExampleResult] {
    let script = try PolicyScript(source, at: now)
    return script.declaration.examples.enumerated().map { index, table in
      let name = table["name"].stringValue ?? "example \(index + 1)"
      var (failure, answer): (String?, String?)
      do {
        try PolicyExample(table, at: now).run(on: script, answer: &answer)
      } catch {
        failure = "\(error)"
      }
      return PolicyExampleResult(
        name: name, failure: failure, answer: answer, log: script.takeLog().map(\.description))
    }
  }
}

/// One example, completed to a whole conflict.
private struct PolicyExample {
  let conflict: MergeConflict
  /// True if the example names its conflict; otherwise it is one that the policy answers.
  let namesConflict: Bool
  let expectation: LuaTable

  struct Mismatch: Error, CustomStringConvertible {
    let description: String
  }

  init(_ table: LuaTable, at now: Timestamp) throws {
    let names = ["name", "code", "current", "existing", "proof", "expect", "provider", "now"]
    try Self.check(table, names, "an example")
    guard let expectation = table["expect"].tableValue, !expectation.fields.isEmpty else {
      throw Mismatch(
        description: "the example expects nothing; give expect = { into = … } or { refuse = … }")
    }
    self.expectation = expectation
    try Self.check(
      expectation, ["into", "refuse"] + MergeField.allCases.map(\.rawValue), "expect")
    if expectation["refuse"].isTruthy, expectation.fields.count > 1 {
      throw Mismatch(description: "expect has refuse beside fields of a merge")
    }
    if !expectation["into"].isNil,
      !["current", "existing"].contains(expectation["into"].stringValue)
    {
      throw Mismatch(description: "expect.into must be \"current\" or \"existing\"")
    }
    let code = table["code"].stringValue ?? AuthError.Code.credentialAlreadyInUse.rawValue
    guard table["code"].isNil || PolicyDeclaration.conflicts.map(\.rawValue).contains(code) else {
      let known = PolicyDeclaration.conflicts.map(\.rawValue)
      throw Mismatch(
        description: "there is no conflict \"\(code)\"; \(suggestion(for: code, among: known))")
    }
    namesConflict = !table["code"].isNil
    conflict = MergeConflict(
      code: AuthError.Code(code), current: try Self.account("current", table["current"]),
      existing: try Self.account("existing", table["existing"]),
      provider: ProviderID(table["provider"].stringValue ?? "google.com"),
      proof: try Self.proof(table["proof"]),
      decidedAt: try Self.time("now", table["now"]) ?? now)
  }

  /// A time in milliseconds, or as text; nil if it is missing.
  private static func time(_ name: String, _ value: LuaValue) throws -> Timestamp? {
    if value.isNil { return nil }
    let written = value.stringValue.flatMap { text in
      Timestamp(rfc3339: text) ?? Timestamp(rfc3339: "\(text)T00:00:00Z")
    }
    guard let time = value.integerValue.map(Timestamp.init(milliseconds:)) ?? written else {
      throw Mismatch(
        description: """
          \(name) is no time; give milliseconds as time.now() does, or a text such as \
          "2026-05-01" or "2026-05-01T12:00:00Z"
          """)
    }
    return time
  }

  /// The accounts that were shown: both, unless the example says otherwise.
  private static func proof(_ value: LuaValue) throws -> MergeProof {
    guard !value.isNil else { return MergeProof(current: true, existing: true) }
    guard let table = value.tableValue else {
      throw Mismatch(description: "proof is \(value.typeName), not a table")
    }
    try check(table, ["current", "existing", "both"], "proof")
    if let name = table.fields.keys.sorted().first(where: { table[$0].boolValue == nil }) {
      throw Mismatch(description: "proof.\(name) must be true or false")
    }
    let both = table["both"].boolValue
    return MergeProof(
      current: table["current"].boolValue ?? both ?? true,
      existing: table["existing"].boolValue ?? both ?? false)
  }

  func run(on script: PolicyScript, answer: inout String?) throws {
    let triggers = script.declaration.triggers
    var asked = conflict
    if !triggers.contains(asked.code) {
      guard !namesConflict, let code = PolicyDeclaration.conflicts.first(where: triggers.contains)
      else { throw Mismatch(description: "the policy does not answer \(conflict.code)") }
      asked = MergeConflict(
        code: code, current: conflict.current, existing: conflict.existing,
        provider: conflict.provider, proof: conflict.proof, decidedAt: conflict.decidedAt)
    }
    switch try script.decide(asked) {
    case .refuse(let refusal):
      answer = "refuses: \(refusal.reason)"
      try expectRefusal(refusal.reason)
    case .require(let requirement):
      answer = "requires: \(requirement)"
      try expectRefusal("requires \(requirement)")
    case .review(let reason):
      answer = "asks for a review: \(reason)"
      try expectRefusal(reason)
    case .merge(let into, let from, let rules):
      answer = plan(into, from, rules)?.answer
      guard conflict.proof.both || script.declaration.answersUnproven else {
        return try expectRefusal("not asked: an account was not shown")
      }
      guard !expectation["refuse"].isTruthy else {
        throw Mismatch(description: "merged \(from) into \(into) instead of refusing")
      }
      try compare(into, from, rules)
    }
  }

  private func expectRefusal(_ reason: String) throws {
    guard expectation["refuse"].isTruthy else {
      throw Mismatch(description: "refused: \(reason)")
    }
    if let part = expectation["refuse"].stringValue, !reason.contains(part) {
      throw Mismatch(description: "refused with \"\(reason)\", not \"\(part)\"")
    }
  }

  private func compare(_ into: AccountID, _ from: AccountID, _ rules: MergeRules) throws {
    if let expected = expectation["into"].stringValue, expected != into.rawValue {
      throw Mismatch(description: "merged into \(into), not \(expected)")
    }
    guard let (keep, absorb) = pair(into, from) else {
      throw Mismatch(description: "merged an account that is not part of the conflict")
    }
    let plan = try MergePlan.rehearse(keep: keep, absorb: absorb, rules: rules)
    let result = plan.result.lua
    for (name, expected) in expectation.fields where name != "into" && name != "refuse" {
      _ = try MergeField(named: name)
      let isEmpty = expected == .null && result[name].isNil
      guard isEmpty || result[name] == expected else {
        let text = JSONValue(result[name])?.text ?? "nil"
        throw Mismatch(
          description: "\(name) became \(text), not \(JSONValue(expected)?.text ?? "nil")")
      }
    }
  }

  private func pair(_ into: AccountID, _ from: AccountID) -> (keep: Account, absorb: Account)? {
    let both = [conflict.current, conflict.existing]
    guard let keep = both.first(where: { $0.id == into }),
      let absorb = both.first(where: { $0.id == from })
    else { return nil }
    return (keep, absorb)
  }

  private func plan(_ into: AccountID, _ from: AccountID, _ rules: MergeRules) -> MergePlan? {
    pair(into, from).flatMap {
      try? MergePlan.rehearse(keep: $0.keep, absorb: $0.absorb, rules: rules)
    }
  }

  private static func check(_ table: LuaTable, _ names: [String], _ what: String) throws {
    if let unknown = table.fields.keys.sorted().first(where: { !names.contains($0) }) {
      throw Mismatch(
        description: "\(what) has no \"\(unknown)\"; \(suggestion(for: unknown, among: names))")
    }
  }

  private static let accountFields = [
    "email", "emailVerified", "displayName", "photoURL", "phoneNumber", "disabled", "isAnonymous",
    "customClaims", "createdAt", "lastSignInAt",
  ]

  /// An account of that name, with an identity to sign in by unless it is anonymous.
  private static func account(_ name: String, _ value: LuaValue) throws -> Account {
    let table = value.tableValue ?? LuaTable()
    guard value.isNil || value.tableValue != nil else {
      throw Mismatch(description: "\(name) is \(value.typeName), not a table")
    }
    try check(table, accountFields, name)
    if table["emailVerified"].boolValue == true, table["email"].isNil {
      throw Mismatch(description: "\(name) has emailVerified without an email")
    }
    let createdAt =
      try time("\(name).createdAt", table["createdAt"]) ?? Timestamp(milliseconds: 0)
    var account = Account(
      id: AccountID(name), scope: Scope(project: "example"), createdAt: createdAt)
    account.email = try table["email"].stringValue.map { try EmailAddress($0) }
    account.emailVerified = account.email != nil && table["emailVerified"].boolValue == true
    account.displayName = table["displayName"].stringValue
    account.photoURL = table["photoURL"].stringValue
    account.phoneNumber = try table["phoneNumber"].stringValue.map { try PhoneNumber($0) }
    account.disabled = table["disabled"].boolValue ?? false
    account.isAnonymous = table["isAnonymous"].boolValue ?? false
    if case .object(let members)? = JSONValue(table["customClaims"]) {
      account.customClaims = try CustomClaims(members)
    }
    account.lastSignInAt = try time("\(name).lastSignInAt", table["lastSignInAt"])
    if !account.isAnonymous {
      account.identities = [
        Identity(
          key: IdentityKey(ProviderID("oidc.example"), subject: name), origin: .credential,
          linkedAt: createdAt)
      ]
    }
    return account
  }
}

extension MergePlan {
  /// The plan in one line: who absorbs whom, and the result of each field in which they differ.
  fileprivate var answer: String {
    let profile = fields.filter {
      $0.differs && $0.field != .createdAt && $0.field != .lastSignInAt
    }
    let results = profile.map { "\($0.field.rawValue) = \($0.result ?? "nothing")" }
    return (["\(survivor.id) absorbs \(absorbed.id)"] + results).joined(separator: "; ")
  }
}
