/// One question to the app's script, within the budget of an operation's attempt.
struct HookQuestioning {
  let compiler: any ChangeHookCompiler
  let source: PolicySource
  let context: OperationContext
  let proofs: RequestProofs

  /// The reply to a question.
  enum Reply {
    /// The script has no function for the event.
    case none
    /// The script has to run outside the transaction first.
    case wanted
    /// The script answered; a requirement is met.
    case answered(ChangeAnswer)
    /// The change is refused, with the details for the audit.
    case refused(AuthError, details: [String: JSONValue])
  }

  /// Asks about an event, and notes the script, its version and its answer in the trace.
  func ask(_ event: ChangeEvent, noting trace: inout Trace) -> Reply {
    let answer: ChangeAnswer
    let version: String
    do {
      guard let hook = try compiler.hook(source, within: context.moment.budget) else {
        return .wanted
      }
      guard hook.kinds.contains(event.kind) else { return .none }
      let given =
        context.moment.budget == .instant ? try hook.answerAtOnce(event) : try hook.answer(event)
      guard let given else { return .wanted }
      (answer, version) = (given, hook.version)
    } catch {
      return failed(error, event, &trace)
    }
    func note(_ result: String, at place: String? = nil) {
      trace.note(
        event.kind.function,
        [
          "script": version, "account": event.account.id.rawValue,
          "other": event.other?.id.rawValue, "identity": event.subject?.identity.key.description,
          "caller": event.caller.rawValue, "at": place,
        ], result)
    }
    switch answer {
    case .refuse(let refusal):
      note("refused: \(refusal.reason)", at: refusal.place)
      var details: [String: JSONValue] = [
        "hook": .string("\(event.kind.function) refused: \(refusal.reason)")
      ]
      if let code = refusal.code { details["code"] = .string(code) }
      return .refused(.refused(by: event, refusal), details: details)
    case .require(let requirement):
      let refusal = requirement.refusal(
        of: context.caller, showing: proofs, for: event.account, on: context)
      guard let refusal else {
        note("allow: \(requirement) is given")
        return .answered(.allow(fill: nil))
      }
      note("requires \(requirement)")
      return .refused(
        refusal,
        details: [
          "hook": .string("\(event.kind.function) requires \(requirement)"),
          "requirement": .string(requirement.name),
        ])
    case .allow(let fill):
      let fields = fill.map { $0.map(\.rawValue).sorted().joined(separator: ", ") }
      note(fields.map { "allow, to fill \($0.isEmpty ? "nothing" : $0)" } ?? "allow")
      return .answered(answer)
    case .ask, .merge:
      note(answer == .ask ? "ask" : "merge")
      return .answered(answer)
    }
  }

  /// A script that fails refuses the change: clients learn nothing of it, and an admin its reason.
  private func failed(_ error: any Error, _ event: ChangeEvent, _ trace: inout Trace) -> Reply {
    let failure = AppScriptFailure(.hook, event.kind.function, error, from: source.name)
    trace.note(
      event.kind.function, ["script": source.name, "account": event.account.id.rawValue],
      "failed: \(failure.message)")
    var refusal = AuthError(
      .blockingFunctionError, "A hook of the app failed.", remedy: "Read the server's log.",
      step: .policy, cause: failure)
    if context.caller.isAdmin {
      refusal.message = "The hook \(event.kind.function) failed: \(failure.message)"
      refusal.remedy = "Correct the hooks, and use them again."
    }
    return .refused(refusal, details: ["hook": .string("failed: \(failure.message)")])
  }
}

extension AuthError {
  /// The error of a refusal by the app's script.
  fileprivate static func refused(by event: ChangeEvent, _ refusal: MergeRefusal) -> AuthError {
    guard event.caller == .admin else { return .refusedByHook(refusal) }
    return AuthError(
      .blockingFunctionError, "The hook \(event.kind.function) refused: \(refusal.reason)",
      remedy: (refusal.place.map { "It was refused at \($0). " } ?? "")
        + "Change the hooks with hooks.use, or remove them with hooks.remove().",
      step: .policy)
  }

  /// A refusal in the hook's own words, as clients of Firebase's functions expect it.
  package static func refusedByHook(_ refusal: MergeRefusal) -> AuthError {
    var error: [String: JSONValue] = [
      "message": .string(refusal.reason), "status": "PERMISSION_DENIED",
    ]
    if let code = refusal.code { error["details"] = ["code": .string(code)] }
    return AuthError(
      .blockingFunctionError, JSONValue.object(["error": .object(error)]).text,
      remedy: refusal.place.map { "It was refused at \($0)." }, step: .policy)
  }
}
