import AuthCore
import LuaRuntime

/// An example of `before_create` or `before_sign_in`, completed to a whole event.
struct SignInExample {
  private let event: SignInHookEvent
  private let function: String
  private let time: Timestamp
  private let expectation: SignInExpectation

  init(_ table: LuaTable, _ kind: SignInHookEvent.Kind, at now: Timestamp) throws {
    let reader = ExampleReader(table, "an example")
    try reader.check([
      "name", "event", "account", "signInMethod", "secondFactor", "claims", "client", "now",
      "expect",
    ])
    expectation = try SignInExpectation(table["expect"], of: kind)
    time = try reader.time("now") ?? now
    function = try reader.text("event") ?? ""
    let account =
      try reader.account("account")
      ?? ExampleAccount.account("account", .nil, in: ExampleReader.scope)
    let claims = table["claims"]
    guard claims.isNil || claims.tableValue != nil else {
      throw ExampleMismatch("claims is \(claims.typeName), not a table")
    }
    event = SignInHookEvent(
      kind: kind, scope: ExampleReader.scope, account: account,
      signInMethod: try reader.text("signInMethod")
        ?? account.identities.first?.key.provider.rawValue ?? ProviderID.password.rawValue,
      secondFactor: try reader.choice("secondFactor", FactorKind.self).map {
        SessionGrant.Factor(kind: $0.rawValue, id: "example")
      },
      claims: JSONValue(claims) ?? .null, functions: BlockingFunctions(),
      client: try reader.part("client")?.client() ?? ClientDescription())
  }

  private enum FactorKind: String, CaseIterable {
    case phone, totp
  }

  /// Decides the event, and throws if the reply is not the expected one.
  func run(on script: HookScript, answer: inout String?) throws {
    try script.requireFunction(function)
    let given = try script.reply(to: event, at: time)
    answer = given.summary
    try expectation.compare(given)
  }
}

/// The reply that an example of a sign-in expects.
private enum SignInExpectation {
  case allow
  case refuse(part: String?)
  case change(SignInHookAnswer)

  init(_ value: LuaValue, of kind: SignInHookEvent.Kind) throws {
    if let word = value.stringValue {
      guard word == "allow" else {
        throw ExampleMismatch(
          "there is no answer \"\(word)\"; \(suggestion(for: word, among: ["allow"]))")
      }
      self = .allow
      return
    }
    guard let table = value.tableValue, !table.fields.isEmpty else {
      throw ExampleMismatch(
        "the example expects nothing; give expect = \"allow\", { refuse = … } or the changes")
    }
    if !table["refuse"].isNil {
      guard table.fields.count == 1 else {
        throw ExampleMismatch("expect has more than one answer")
      }
      self = .refuse(part: table["refuse"].stringValue)
      return
    }
    do {
      self = .change(try SignInHookAnswer(table, kind))
    } catch let mistake as HookMistake {
      throw ExampleMismatch("expect: \(mistake.description)")
    }
  }

  /// Throws if a reply is another one.
  func compare(_ reply: SignInReply) throws(ExampleMismatch) {
    switch (self, reply) {
    case (.allow, .allow): return
    case (.allow, .change(let given)):
      guard !given.isEmpty else { return }
      throw ExampleMismatch("changed \(given.summary)")
    case (.refuse(let part), .refuse(let refusal)):
      guard let part, !refusal.reason.contains(part) else { return }
      throw ExampleMismatch("refused with \"\(refusal.reason)\", not \"\(part)\"")
    case (.change(let expected), .change(let given)):
      guard expected != given else { return }
      throw ExampleMismatch(
        "changed \(given.isEmpty ? "nothing" : given.summary), not \(expected.summary)")
    case (_, .refuse(let refusal)): throw ExampleMismatch("refused: \(refusal.reason)")
    case (.refuse, .allow), (.refuse, .change): throw ExampleMismatch("allowed instead of refuse")
    case (.change(let expected), .allow):
      throw ExampleMismatch("changed nothing, not \(expected.summary)")
    }
  }
}
