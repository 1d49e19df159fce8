import AuthCore
import LuaRuntime

/// An example of a function that is asked about a change, completed to a whole event.
struct ChangeExample {
  private let event: ChangeEvent
  private let expectation: HookExpectation

  init(_ table: LuaTable, _ kind: ChangeEvent.Kind, at now: Timestamp) throws {
    let reader = ExampleReader(table, "an example")
    try reader.check([
      "name", "event", "account", "other", "identity", "caller", "session", "proof", "reason",
      "client", "now", "expect",
    ])
    expectation = try HookExpectation(table["expect"])
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
    event.client = try reader.part("client")?.client() ?? ClientDescription()
    if event.caller == .person {
      event.session = try (reader.part("session") ?? ExampleReader(LuaTable(), "session"))
        .session(at: time)
    }
    self.event = event
  }

  /// Decides the event, and throws if the answer is not the expected one.
  func run(on script: HookScript, answer: inout String?) throws {
    try script.requireFunction(event.kind.function)
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
    case .refuse(let refusal): refusal.summary
    case .require(let requirement): "requires \(requirement)"
    case .ask: "asks"
    case .merge: "merges"
    }
  }
}

extension MergeRefusal {
  /// The refusal of a hook in one line, with the app's code.
  var summary: String { "refuses: \(reason)\(code.map { " (\($0))" } ?? "")" }
}
