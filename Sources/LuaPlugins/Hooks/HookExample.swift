public import AuthCore
import LuaRuntime

extension LuaChangeHook {
  /// Runs the examples of a hook file; throws `invalid-policy` if the file itself is at fault.
  ///
  /// Each example is decided by its own run of the file. It has `event`, the name of the function, and the values of
  /// the event as far as they matter: `account`, `other`, `identity`, `caller`, `session`, `proof`, `reason`, `now`. The
  /// caller is a person whose session began a minute before, unless the example says otherwise. `expect` is the word of
  /// the answer ("allow", "ask", "merge"), or `{ refuse = … }`, `{ require = … }` or `{ fill = … }`; `refuse` is a part
  /// of the reason or true.
  public static func runExamples(
    of source: PolicySource, at now: Timestamp = .now()
  ) throws(AuthError) -> [PolicyExampleResult] {
    let script = try HookScript(source, at: now)
    return script.declaration.examples.enumerated().map { index, table in
      let name = table["name"].stringValue ?? "example \(index + 1)"
      var (failure, answer): (String?, String?)
      do {
        try HookExample(table, at: now).run(on: script, answer: &answer)
      } catch let error as AuthError {
        failure = ((error.cause as? AuthError) ?? error).message
      } catch {
        failure = "\(error)"
      }
      return PolicyExampleResult(
        name: name, failure: failure, answer: answer, log: script.takeLog().map(\.description))
    }
  }
}

extension PolicyExampleResult {
  /// Throws `invalid-policy` with the first failed example of a file of hooks.
  public static func requireAll(
    _ results: [PolicyExampleResult], of source: PolicySource
  ) throws(AuthError) {
    let failed = results.filter { !$0.passed }
    guard let first = failed.first else { return }
    throw AuthError(
      .invalidPolicy,
      (failed.count == 1
        ? "An example of \(source.name) does not pass, "
        : "\(failed.count) of the examples of \(source.name) do not pass; the first is ")
        + "\"\(first.name)\": \(first.failure ?? "")",
      remedy: "Look at hooks.test \"\(source.name)\", and correct the hooks or their examples.")
  }
}

/// One example, completed to a whole event.
private struct HookExample {
  let event: ChangeEvent
  let expectation: HookExpectation

  init(_ table: LuaTable, at now: Timestamp) throws {
    let reader = ExampleReader(table, "an example")
    try reader.check([
      "name", "event", "account", "other", "identity", "caller", "session", "proof", "reason",
      "now", "expect",
    ])
    expectation = try HookExpectation(table["expect"])
    let functions = ChangeEvent.Kind.allCases.map(\.function)
    let name = table["event"].stringValue ?? ""
    guard let kind = ChangeEvent.Kind.allCases.first(where: { $0.function == name }) else {
      throw ExampleMismatch(
        "there is no event \"\(name)\" for examples; \(suggestion(for: name, among: functions))")
    }
    let time = try reader.time("now") ?? now
    var event = ChangeEvent(
      kind,
      of: try reader.account("account")
        ?? ExampleAccount.account("account", .nil, in: ExampleReader.scope),
      in: ExampleReader.scope, at: time)
    event.other = try reader.account("other")
    let isAboutIdentity = ![.beforeMerge, .beforeUndo].contains(kind)
    let identity = try reader.part("identity")
    event.subject =
      try identity?.subject(at: time)
      ?? (isAboutIdentity ? ExampleReader(LuaTable(), "identity").subject(at: time) : nil)
    event.caller = try reader.choice("caller", ChangeEvent.CallerKind.self) ?? .person
    event.reason = table["reason"].stringValue
    event.isProven = try reader.part("proof")?.bool("existing") ?? false
    if event.caller == .person {
      event.session = try (reader.part("session") ?? ExampleReader(LuaTable(), "session"))
        .session(at: time)
    }
    self.event = event
  }

  func run(on script: HookScript, answer: inout String?) throws {
    guard script.declaration.changes.contains(event.kind) else {
      throw ExampleMismatch("the file has no \(event.kind.function)")
    }
    let given = try script.answer(event)
    answer = given.summary
    try expectation.compare(given)
  }
}

extension ChangeAnswer {
  /// The answer in one line.
  fileprivate var summary: String {
    switch self {
    case .allow(nil): "allows"
    case .allow(let fill?):
      "allows, and fills \(fill.isEmpty ? "nothing" : fill.map(\.rawValue).sorted().joined(separator: ", "))"
    case .refuse(let refusal):
      "refuses: \(refusal.reason)\(refusal.code.map { " (\($0))" } ?? "")"
    case .require(let requirement): "requires \(requirement)"
    case .ask: "asks"
    case .merge: "merges"
    }
  }
}
