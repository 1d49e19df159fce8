public import AuthCore
import LuaRuntime

/// A recorded decision as an example of a policy file.
///
/// It has everything of the conflict that an example can have.
public struct RecordedExample: Sendable, Hashable {
  /// The text of the table, with a comma at its end, to be put into `examples`.
  public let text: String
  /// The reason why the policy at hand does not pass it; nil if it passes, or if none is at hand.
  public let failure: String?

  /// Writes the example of a decision, and runs it on the policy that decided, if its file is at hand.
  ///
  /// Throws `invalid-argument` if the policy failed at the conflict, which no example can expect, or `invalid-policy`
  /// if the file is at fault.
  public init(of decision: PolicyDecision, on source: PolicySource?) throws(AuthError) {
    guard case .answer(let answer)? = decision.ruling else {
      throw AuthError(
        .invalidArgument, "The policy failed at the conflict of the event \(decision.id).",
        field: "id", remedy: "Choose a decision with an answer; policy.decisions() lists them.")
    }
    let candidates = Self.expectations(of: answer, in: decision.conflict)
    var tried: (text: String, failure: String)?
    for expectation in candidates {
      let members = decision.conflict.example(
        named: "event \(decision.id)", expecting: expectation)
      let text = LuaNotation.table(members).text(indent: 0) + ","
      let failure = try source.flatMap { source throws(AuthError) in
        try Self.failure(of: text, on: source)
      }
      guard let failure else {
        (self.text, self.failure) = (text, nil)
        return
      }
      tried = tried ?? (text, failure)
    }
    (text, failure) = (tried?.text ?? "", tried?.failure)
  }

  /// Runs the text of an example on a policy; returns the reason if it does not pass.
  private static func failure(
    of text: String, on source: PolicySource
  ) throws(AuthError) -> String? {
    let script = try PolicyScript(source)
    do {
      let state = try LuaState(profile: .policy)
      let chunk = try state.load(
        "return \(text.dropLast())", name: "example",
        environment: state.makeEnvironment(sealed: true))
      guard case .table(let table)? = try state.call(chunk).first else { return "it is no table" }
      var answer: String?
      try PolicyExample(table, at: .now()).run(on: script, answer: &answer)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Returns expectations of an answer, the most precise one first.
  private static func expectations(
    of answer: MergeAnswer, in conflict: MergeConflict
  ) -> [LuaNotation] {
    func table(_ name: String, _ value: JSONValue) -> LuaNotation {
      .table([(name, LuaNotation(value))])
    }
    let refused = table("refuse", true)
    switch answer {
    case .refuse(let refusal):
      let isWhole = !refusal.reason.contains(DecisionMask.someone)
      let reason = isWhole ? table("refuse", .string(refusal.reason)) : refused
      guard isWhole, let code = refusal.code else { return [reason] }
      let both: LuaNotation = .table([
        ("refuse", LuaNotation(.string(refusal.reason))), ("code", LuaNotation(.string(code))),
      ])
      return [both, reason]
    case .require(let requirement):
      return [table("require", .string(requirement.name)), refused]
    case .review(let reason):
      return [table("review", .string(reason)), table("review", true), refused]
    case .merge(let into, let from, let rules):
      let isCurrent = into == conflict.current.id
      let (keep, absorb) =
        isCurrent
        ? (conflict.current, conflict.existing) : (conflict.existing, conflict.current)
      guard from == absorb.id else { return [] }
      // An unproven merge is an offer, which an example expects as a refusal unless the file answers it.
      let unproven = conflict.proof.both ? [] : [refused]
      let survivor = (
        name: Optional("into"), value: LuaNotation(.string(isCurrent ? "current" : "existing"))
      )
      let plain: LuaNotation = .table([survivor])
      guard let plan = try? MergePlan.rehearse(keep: keep, absorb: absorb, rules: rules) else {
        return [plain] + unproven
      }
      let result = plan.result.lua
      let fields = MergeField.allCases.compactMap {
        field -> (name: String?, value: LuaNotation)? in
        guard let rule = rules.fields[field], ![.createdAt, .lastSignInAt].contains(field),
          rule != .value(DecisionMask.hidden), let value = JSONValue(result[field.rawValue])
        else { return nil }
        return (field.rawValue, LuaNotation(value))
      }
      return (fields.isEmpty ? [] : [.table([survivor] + fields)]) + [plain] + unproven
    }
  }
}
