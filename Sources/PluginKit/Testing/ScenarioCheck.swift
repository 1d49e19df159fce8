import AuthCore
import LuaPlugins

/// Compares the result of a scenario with its fixture's expectation.
struct ScenarioCheck {
  let scenario: Fixture.Scenario
  let declaration: PluginDeclaration

  /// The reason of the failure; nil if the scenario passed.
  func failure(of outcome: Outcome) -> String? {
    if let unknown = outcome.log.unknown.first {
      return "It sent a request that is not recorded: \(unknown)."
    }
    switch (scenario.expectation, outcome.ending) {
    case (_, .failed(let what)): return "It ended with \(what.sentence)"
    case (.identity(let expected), .identity(let identity)):
      return difference(identity, from: expected, outcome.log)
    case (.error(let code, let step, let field), .refused(let error)):
      return difference(error, code: code, step: step, field: field)
    case (.identity(let expected), .refused(let error)):
      let subject = expected["subject"]?.stringValue ?? "?"
      let why = MissingPath(declaration: declaration, scenario: scenario, log: outcome.log)
        .explanation(of: error.field ?? "")
      return "It should have signed \(subject) in, and was refused: \("\(error)".sentence)\(why)"
    case (.error(let code, _, _), .identity):
      return "It should have been refused with \(code), and ended with \(outcome.text)."
    }
  }

  private func difference(
    _ identity: VerifiedIdentity, from expected: [String: JSONValue], _ log: ReplayTransport.Log
  ) -> String? {
    let actual: [String: JSONValue] = [
      "subject": .optional(identity.key?.subject),
      "formerSubjects": .array(
        Set(identity.formerKeys.map(\.subject)).sorted().map { .string($0) }),
      "issuer": .optional(identity.key?.issuer),
      "email": .optional(identity.profile.email), "emailVerified": .bool(identity.emailVerified),
      "displayName": .optional(identity.profile.displayName),
      "photoURL": .optional(identity.profile.photoURL),
      "screenName": .optional(identity.profile.screenName),
      "phoneNumber": .optional(identity.profile.phoneNumber),
    ]
    for (name, wanted) in expected.sorted(by: { $0.key < $1.key }) {
      let value = actual[name] ?? .null
      let isAbsent =
        wanted == .null && (value == .null || value == "" || value == false || value == [])
      guard value != wanted, !isAbsent else { continue }
      let isMissing = value == .null || value == false
      let why =
        isMissing
        ? MissingPath(declaration: declaration, scenario: scenario, log: log)
          .explanation(of: name) : ""
      return "\(name) is \(value.text), and should be \(wanted.text).\(why)"
    }
    return nil
  }

  private func difference(
    _ error: AuthError, code: String, step: String?, field: String?
  ) -> String? {
    let parts: [(String, String?, String?)] = [
      ("code", error.code.rawValue, code), ("step", error.step?.rawValue, step),
      ("field", error.field, field),
    ]
    for (name, actual, wanted) in parts {
      guard let wanted, actual != wanted else { continue }
      return "The error's \(name) is \(actual ?? "nothing"), and should be \(wanted): \(error)"
    }
    return nil
  }
}
