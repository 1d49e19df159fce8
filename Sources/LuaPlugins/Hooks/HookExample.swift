public import AuthCore
import LuaRuntime

extension LuaChangeHook {
  /// Runs the examples of a hook file; throws `invalid-policy` if the file itself is at fault.
  ///
  /// Each example is decided by its own run of the file. It has `event`, the name of the function, and the values of
  /// the event as far as they matter. For a change these are `account`, `other`, `identity`, `caller`, `session`, `proof`,
  /// `reason`, `client`, `now`; for a sign-in `account`, `signInMethod`, `secondFactor`, `claims`, `client`, `now`. The caller
  /// of a change is a person whose session began a minute before, unless the example says otherwise. `expect` is the
  /// word of the answer ("allow", "ask", "merge"), or `{ refuse = … }`, `{ require = … }` or `{ fill = … }`; for a sign-in
  /// "allow", `{ refuse = … }` or the table of changes. `refuse` is a part of the reason or true.
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

/// One example, completed to a whole event of its function.
private enum HookExample {
  case signIn(SignInExample)
  case change(ChangeExample)

  init(_ table: LuaTable, at now: Timestamp) throws {
    let name = table["event"].stringValue ?? ""
    if let (kind, _) = HookDeclaration.signInNames.first(where: { $0.name == name }) {
      self = .signIn(try SignInExample(table, kind, at: now))
    } else if let kind = ChangeEvent.Kind.allCases.first(where: { $0.function == name }) {
      self = .change(try ChangeExample(table, kind, at: now))
    } else {
      throw ExampleMismatch(
        "there is no event \"\(name)\" for examples; "
          + suggestion(for: name, among: HookDeclaration.names))
    }
  }

  /// Decides the event, and throws if the answer is not the expected one.
  func run(on script: HookScript, answer: inout String?) throws {
    switch self {
    case .signIn(let example): try example.run(on: script, answer: &answer)
    case .change(let example): try example.run(on: script, answer: &answer)
    }
  }
}

extension HookScript {
  /// Throws if the file has no function of a name.
  func requireFunction(_ name: String) throws(ExampleMismatch) {
    guard declaration.functions.contains(name) else {
      throw ExampleMismatch("the file has no \(name)")
    }
  }
}
