import AuthCore
import LuaPlugins
import LuaRuntime

/// The `audit` library and `why`: past events, and the rules that decided them.
struct AuditLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    defineReceipt(in: state)
    defineEvent(in: state)
    defineTrace(in: state)
    var audit = LuaLibrary(name: "audit")
    audit.function("find", find)
    audit.function("tail") { call in
      let asked = try call.limit(1, "n")
      let limit = asked ?? Self.usualTail
      // One event more than the limit shows whether the list is cut.
      let events = try session.wait { try await $0.events(limit: limit + 1, in: $1) }
      let isCut = asked == nil && events.count > limit
      return CutList(
        events.prefix(limit).map(\.luaObject),
        cut: isCut ? "These are the newest \(limit) events; audit.tail(n) gives n." : nil
      ).results(of: session)
    }
    audit.function("sessions", sessions)
    audit.function("session", wholeSession)
    try state.set("audit", to: state.library(audit))
    let why = state.function(named: "why") { call in
      [.object(LuaObject(type: "trace", value: try trace(call)))]
    }
    try state.set("why", to: .function(why))
  }

  /// The default number of events that `find` returns.
  private static let usualFound = 100

  /// The conditions of `audit.find`.
  static let conditions = [
    "actor", "action", "account", "code", "since", "before", "request", "limit",
  ]

  private func find(_ call: LuaCall) throws -> [LuaValue] {
    if let table = try? call.table(1), !table["until"].isNil {
      throw AuthError(
        .invalidArgument, "until is a keyword of Lua; the condition is called before here.",
        field: "until", remedy: "Write before = \"2026-11-01\".")
    }
    let table = try call.filter(1, Self.conditions, all: "events")
    let before = try before(table)
    let filter = try filter(table, before: before)
    let asked = try table.limit()
    let limit = asked ?? Self.usualFound
    // One event more than the limit shows whether the list is cut.
    let events = try session.wait {
      try await $0.events(matching: filter, before: before, limit: limit + 1, in: $1)
    }
    let isCut = asked == nil && events.count > limit
    return CutList(
      events.prefix(limit).map(\.luaObject),
      cut: isCut
        ? "These are the newest \(limit) events; give a limit, or go on with before = the last one."
        : nil
    ).results(of: session)
  }

  private func filter(_ table: LuaTable, before event: Int64?) throws -> EventFilter {
    var filter = EventFilter()
    if let actor = try table.text("actor") {
      // An admin's name is enough; other actors have a kind, or are anyone.
      filter.actor = actor.contains(":") || actor == "anyone" ? actor : "admin:\(actor)"
    }
    if let name = try table.text("action") {
      guard let action = Action(rawValue: name) else {
        throw AuthError(
          .invalidArgument, "There is no action \"\(name)\".", field: "action",
          remedy: suggestion(for: name, among: Action.allCases.map(\.rawValue)))
      }
      filter.action = action
    }
    filter.errorCode = try table.text("code")
    filter.requestID = try table.text("request")
    filter.since = try table.time("since", session)
    if event == nil { filter.until = try table.time("before", session) }
    if let id = try table.accountID("account") {
      // An address or a number finds its account; the uid of a deleted one is taken as it is.
      filter.accounts = try session.wait { graph, scope in
        let isHeld = table["account"].objectValue != nil
        let account = try await isHeld ? nil : graph.account(matching: id.rawValue, in: scope)
        return try await graph.lineage(of: account?.id ?? id, in: scope)
      }
    }
    return filter
  }

  /// Returns the sequence of the event before which a list goes on: an event, a receipt or an ID; nil for a time.
  private func before(_ table: LuaTable) throws -> Int64? {
    switch table["before"] {
    case .object(let object):
      if let event = object.value as? AuditEvent { return event.sequence }
      guard let receipt = object.value as? Receipt else {
        throw table.wrongType("before", "a time, an event or its ID", table["before"])
      }
      return try sequence(of: receipt.id)
    // No time in words is as long without a space or a sign.
    case .string(let id) where id.count == 16 && id.allSatisfy({ $0.isLetter || $0.isNumber }):
      return try sequence(of: id)
    default: return nil
    }
  }

  private func sequence(of id: String) throws -> Int64 {
    try session.wait { try await $0.event(id, in: $1).sequence }
  }

  /// Lists the newest sessions that were kept.
  private func sessions(_ call: LuaCall) throws -> [LuaValue] {
    let asked = try call.limit(1, "n")
    let limit = asked ?? Self.usualTail
    // One session more than the limit shows whether the list is cut.
    let sessions = SessionView.all(
      in: try session.wait { try await $0.consoleSessions(limit: limit + 1, in: $1) })
    let isCut = asked == nil && sessions.count > limit
    return CutList(
      sessions.prefix(limit).map { .table($0.summary) },
      cut: isCut ? "These are the newest \(limit) sessions; audit.sessions(n) gives n." : nil
    ).results(of: session)
  }

  /// The maximum number of events of a session.
  private static let mostOfSession = 100_000

  /// Returns one session with its inputs and the events of its writes.
  private func wholeSession(_ call: LuaCall) throws -> [LuaValue] {
    let id = try call.string(1, "id")
    var filter = EventFilter()
    filter.requestID = id
    let events = try session.wait { [filter] in
      try await $0.events(matching: filter, limit: Self.mostOfSession, in: $1)
    }
    guard !events.isEmpty else {
      throw AuthError(
        .eventNotFound, "There is no session \"\(id)\" in the audit.", field: "id",
        remedy: "audit.sessions() lists them.")
    }
    return [.table(SessionView(id: id, events: events).lua)]
  }

  /// A dry run has no event; its receipt carries the trace.
  private func trace(_ call: LuaCall) throws -> TraceView {
    if case .object(let object) = try call.value(1), let receipt = object.value as? Receipt,
      receipt.hasNoEvent
    {
      return TraceView(receipt)
    }
    let id = try call.eventID(1)
    return TraceView(try session.wait { try await $0.event(id, in: $1) })
  }

  /// The default number of events that `tail` returns.
  private static let usualTail = 10

  private func defineReceipt(in state: LuaState) {
    var type = LuaObjectType(
      name: "receipt",
      fields: [
        "id", "accountID", "action", "dryRun", "changed", "changes", "losses", "waysIn", "undo",
      ])
    type.get = { _, object, field in
      guard let receipt = object.value as? Receipt else { return nil }
      let value = receipt.lua[field]
      // Many receipts have no changes, and few have the rest.
      return value.isNil && !["changes", "losses", "waysIn", "undo"].contains(field)
        ? nil : .values([value])
    }
    type.describe = { object in
      guard let receipt = object.value as? Receipt else { return "receipt" }
      return session.isRehearsed(receipt) ? receipt.rehearsedText : receipt.shortText
    }
    state.define(type)
  }

  private func defineEvent(in state: LuaState) {
    var type = LuaObjectType(name: "event", fields: AuditEvent.fields)
    type.get = { _, object, field in
      guard let event = object.value as? AuditEvent else { return nil }
      try AuditEvent.refuseFormer(field)
      return AuditEvent.fields.contains(field) ? .values([event.lua[field]]) : nil
    }
    type.describe = { ($0.value as? AuditEvent)?.shortText ?? "event" }
    state.define(type)
  }

  private func defineTrace(in state: LuaState) {
    let fields = [
      "id", "action", "account", "actor", "reason", "outcome", "request", "at", "details",
      "changes", "steps",
    ]
    var type = LuaObjectType(name: "trace", fields: fields)
    type.get = { _, object, field in
      guard let trace = object.value as? TraceView else { return nil }
      try AuditEvent.refuseFormer(field)
      return fields.contains(field) ? .values([trace.lua[field]]) : nil
    }
    type.describesInLines = true
    type.describe = { session.output.drawn($0.value) ?? "trace" }
    state.define(type)
  }
}

extension LuaCall {
  /// Returns the event ID of an argument: a receipt, an event, a trace, an error, a table with an `id`, or an ID.
  func eventID(_ index: Int) throws -> String {
    switch try value(index) {
    case .string(let id): return id
    case .object(let object):
      switch object.value {
      case let receipt as Receipt:
        guard !receipt.isUnchanged else {
          throw AuthError(
            .eventNotFound, "The receipt is that of an operation that changed nothing.",
            remedy: "Look at account:history().")
        }
        guard !receipt.dryRun else {
          throw AuthError(
            .eventNotFound, "The receipt is that of a rehearsal; nothing was written.",
            remedy: "Do it without dryRun first.")
        }
        return receipt.id
      case let event as AuditEvent: return event.id
      case let trace as TraceView: return trace.id
      default: break
      }
    case .table(let table):
      if let id = table["id"].stringValue { return id }
      if !table["code"].isNil {
        throw AuthError(
          .eventNotFound,
          "This error has no event: it came before the rules, or in a rehearsal.",
          remedy: "Read the error's message.")
      }
      if let receipt = table["receipt"].objectValue?.value as? Receipt { return receipt.id }
    default: break
    }
    throw argumentError(index, "a receipt, an event or its ID", name: "receipt")
  }
}

extension Receipt {
  var lua: LuaTable {
    LuaTable(fields: [
      "id": isUnchanged ? .nil : .string(id),
      "accountID": .string(accountID.rawValue), "action": .string(action.rawValue),
      "dryRun": .bool(dryRun), "changed": .bool(!isUnchanged),
      "changes": dryRun || !changes.isEmpty ? changes.lua : .nil,
      "losses": losses?.json.lua ?? .nil, "waysIn": waysIn.isEmpty ? .nil : waysIn.lua,
      "undo": undo?.json.lua ?? .nil,
    ])
  }

  /// The receipt of a dry run, for an operation that otherwise returns nothing.
  var ifRehearsed: [LuaValue] {
    dryRun ? [.object(LuaObject(type: "receipt", value: self))] : []
  }

  /// Tells whether there is no event, so that the receipt itself carries the trace.
  var hasNoEvent: Bool { dryRun || isUnchanged }

  private var account: String { accountID.rawValue.isEmpty ? "" : " of \(accountID)" }

  /// The text before the commit of the rehearsal that it belongs to.
  var rehearsedText: String {
    "rehearsed \(id): \(action.rawValue)\(account); commit() writes it"
  }

  var shortText: String {
    if isUnchanged { return "nothing changed: \(action.rawValue)\(account) was the case already" }
    if undo?.refusal != nil {
      return "rehearsal: \(action.rawValue)\(account) would lose later changes; nothing was written"
    }
    return dryRun
      ? "rehearsal: \(action.rawValue)\(account) would work; nothing was written"
      : "receipt \(id): \(action.rawValue)\(account)"
  }
}

extension [WaysInOfAccount] {
  /// The ways in by uid.
  fileprivate var lua: LuaValue {
    .table(
      LuaTable(
        fields: Dictionary(
          map { ($0.account.rawValue, .table(LuaTable(array: $0.ways.map { .table($0.lua) }))) },
          uniquingKeysWith: { first, _ in first })))
  }
}

extension [ValueChange] {
  /// The changes as a list of tables; a secret has no values, and another account than the event's has its uid.
  fileprivate var lua: LuaValue {
    .table(
      LuaTable(
        array: map { change in
          [
            "name": .string(change.name), "account": .optional(change.account?.rawValue),
            "from": change.from?.lua ?? .nil, "to": change.to?.lua ?? .nil,
          ]
        }))
  }
}

extension AuditEvent {
  var luaObject: LuaValue { .object(LuaObject(type: "event", value: self, identity: id)) }

  var lua: LuaTable {
    LuaTable(fields: [
      "id": .string(id), "at": .string(at.text), "action": .string(action.rawValue),
      "what": .optional(what), "actor": .string(actor), "reason": .optional(reason),
      "account": .optional(accountID?.rawValue),
      "related": .strings(relatedIDs.map(\.rawValue)), "outcome": .string(outcome),
      "details": details.lua, "changes": changes.isEmpty ? .nil : changes.lua,
      "request": .optional(requestID),
    ])
  }

  /// The fields of an event, by the names of the columns that tables of events show.
  fileprivate static let fields = [
    "id", "at", "action", "what", "account", "actor", "reason", "outcome", "request", "related",
    "changes", "details",
  ]

  /// The fields of the REST API by the names that they have there, with their names here.
  private static let former = [
    "accountID": "account", "errorCode": "outcome", "requestID": "request", "relatedIDs": "related",
  ]

  /// Throws `invalid-argument` for a field that has another name in the console.
  fileprivate static func refuseFormer(_ field: String) throws(AuthError) {
    guard let name = former[field] else { return }
    throw AuthError(
      .invalidArgument, "The field of an event is called \(name) here, not \(field).", field: field,
      remedy: name == "outcome"
        ? "Write event.outcome, which is the error code, or \"done\"." : "Write event.\(name).")
  }

  /// The error code of a refusal; otherwise `done`.
  var outcome: String { errorCode ?? "done" }

  var shortText: String {
    let outcome = errorCode.map { " refused: \($0)" } ?? ""
    return "event \(id): \(action.rawValue)\(outcome)"
  }
}
