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
  /// either `into` ("current" or "existing") with any fields of the result, or `refuse`, `require` or `review`: a part
  /// of the text, or true; `code` is that of a refusal. `json.null` expects that a field is absent. Without `proof` both accounts were shown; without `code` and
  /// `provider` the conflict is `credential-already-in-use` of `google.com`.
  public static func runExamples(
    of source: PolicySource, at now: Timestamp = .now()
  ) throws(AuthError) -> [PolicyExampleResult] {
    runExamples(on: try PolicyScript(source, at: now), at: now)
  }

  /// Runs the examples of a file on a script of it.
  static func runExamples(
    on script: PolicyScript, at now: Timestamp
  ) -> [PolicyExampleResult] {
    script.declaration.examples.enumerated().map { index, table in
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

extension LuaMergePolicy {
  /// The conflict of an example's table, as a policy with these triggers is asked about it; `expect` may be missing.
  ///
  /// Throws `invalid-argument` for an unknown name or a wrong value.
  static func conflict(
    ofExample table: LuaTable, askedOf triggers: Set<AuthError.Code>, at now: Timestamp
  ) throws(AuthError) -> MergeConflict {
    var table = table
    if table["expect"].isNil { table["expect"] = ["refuse": true] }
    do {
      return try PolicyExample(table, at: now).asked(of: triggers)
    } catch {
      throw AuthError(
        .invalidArgument, "This is no conflict: \(error).", field: "conflict",
        remedy: "Write { current = …, existing = … } as in the examples of a policy.",
        cause: error)
    }
  }
}

/// One example, completed to a whole conflict.
struct PolicyExample {
  let conflict: MergeConflict
  /// True if the example names its conflict; otherwise it is one that the policy answers.
  let namesConflict: Bool
  let expectation: LuaTable

  private typealias Mismatch = ExampleMismatch

  /// The expectations of an answer that leaves both accounts as they are.
  private static let waiting = ["refuse", "code", "require", "review"]

  init(_ table: LuaTable, at now: Timestamp) throws {
    try Mismatch.check(table, ["name", "expect"] + MergeConflict.exampleNames, "an example")
    guard let expectation = table["expect"].tableValue, !expectation.fields.isEmpty else {
      throw Mismatch("the example expects nothing; give expect = { into = … } or { refuse = … }")
    }
    self.expectation = expectation
    try Mismatch.check(
      expectation, ["into", "identities"] + Self.waiting + MergeField.allCases.map(\.rawValue),
      "expect")
    let waiting = expectation.fields.keys.filter(Self.waiting.contains)
    if let first = waiting.min(), waiting.count < expectation.fields.count {
      throw Mismatch("expect has \(first) beside fields of a merge")
    }
    if !expectation["into"].isNil,
      !["current", "existing"].contains(expectation["into"].stringValue)
    {
      throw Mismatch("expect.into must be \"current\" or \"existing\"")
    }
    namesConflict = !table["code"].isNil
    conflict = try MergeConflict(example: table, at: now)
  }

  /// The conflict as a policy with these triggers is asked about it.
  func asked(of triggers: Set<AuthError.Code>) throws -> MergeConflict {
    guard !triggers.contains(conflict.code) else { return conflict }
    guard !namesConflict, let code = PolicyDeclaration.conflicts.first(where: triggers.contains)
    else { throw Mismatch("the policy does not answer \(conflict.code)") }
    var asked = conflict
    asked.code = code
    return asked
  }

  func run(on script: PolicyScript, answer: inout String?) throws {
    let given = try script.decide(try asked(of: script.declaration.triggers))
    answer = given.summary(of: conflict)
    switch given {
    case .refuse(let refusal):
      try expect("refuse", refusal.reason)
      if let code = expectation["code"].stringValue, code != refusal.code {
        throw Mismatch("refused with the code \(refusal.code ?? "nil"), not \(code)")
      }
    case .require(let requirement):
      try expect("require", requirement.name)
    case .review(let reason):
      try expect("review", reason)
    case .merge(let into, let from, let rules):
      guard conflict.proof.both || script.declaration.answersUnproven else {
        return try expect("refuse", "not asked: an account was not shown")
      }
      if let waiting = expectation.fields.keys.filter(Self.waiting.contains).min() {
        throw Mismatch("merged \(from) into \(into) instead of \(waiting)")
      }
      try compare(into, from, rules)
    }
  }

  /// Compares the name and the text of an answer that leaves both accounts as they are.
  private func expect(_ name: String, _ text: String) throws {
    let past = ["refuse": "refused", "require": "required", "review": "asked for a review"]
    guard expectation[name].isTruthy || (name == "refuse" && !expectation["code"].isNil) else {
      throw Mismatch("\(past[name] ?? name): \(text)")
    }
    if let part = expectation[name].stringValue, !text.contains(part) {
      throw Mismatch("\(past[name] ?? name) with \"\(text)\", not \"\(part)\"")
    }
  }

  private func compare(_ into: AccountID, _ from: AccountID, _ rules: MergeRules) throws {
    guard let (keep, absorb) = pair(into, from) else {
      throw Mismatch("merged an account that is not part of the conflict")
    }
    let survivor = keep.id == conflict.current.id ? "current" : "existing"
    if let expected = expectation["into"].stringValue, expected != survivor {
      throw Mismatch("merged into \(survivor), not \(expected)")
    }
    let plan = try MergePlan.rehearse(keep: keep, absorb: absorb, rules: rules)
    try compareIdentities(plan)
    let result = plan.result.lua
    for (name, expected) in expectation.fields where name != "into" && name != "identities" {
      _ = try MergeField(named: name)
      let isEmpty = expected == .null && result[name].isNil
      guard isEmpty || result[name] == expected else {
        let text = JSONValue(result[name])?.text ?? "nil"
        throw Mismatch("\(name) became \(text), not \(JSONValue(expected)?.text ?? "nil")")
      }
    }
  }

  /// Compares the ways to sign in that the result has, in any order.
  private func compareIdentities(_ plan: MergePlan) throws {
    guard !expectation["identities"].isNil else { return }
    let expected = expectation["identities"].tableValue?.array.compactMap(\.stringValue) ?? []
    let found = plan.result.identities.map(\.key.description)
    guard expected.sorted() == found.sorted() else {
      throw Mismatch(
        "identities became \(found.sorted().joined(separator: ", ")), not "
          + expected.sorted().joined(separator: ", "))
    }
  }

  private func pair(_ into: AccountID, _ from: AccountID) -> (keep: Account, absorb: Account)? {
    let both = [conflict.current, conflict.existing]
    guard let keep = both.first(where: { $0.id == into }),
      let absorb = both.first(where: { $0.id == from })
    else { return nil }
    return (keep, absorb)
  }
}
