import AuthCore
import LuaPlugins
import LuaRuntime

/// The log of decisions: lists it, decides it again with another file, and makes examples of it.
extension PolicyLibrary {
  /// The default number of decisions that `decisions` returns.
  private static let usualFound = 100

  /// The options of `replay`, which are the conditions of `decisions`.
  static let replayOptions = ["since", "limit"]

  func installReplay(in state: LuaState, _ library: inout LuaLibrary) {
    defineReplay(in: state)
    library.function("decisions", decisions)
    library.function("replay", replay)
    library.function("example", example)
  }

  private func decisions(_ call: LuaCall) throws -> [LuaValue] {
    let table = try call.filter(1, Self.replayOptions, all: "decisions")
    let since = try table.time("since", session)
    let asked = try table.limit()
    let limit = asked ?? Self.usualFound
    // One decision more than the limit shows whether the list is cut.
    let found = try session.wait {
      try await $0.decisions(since: since, limit: limit + 1, in: $1)
    }
    let isCut = asked == nil && found.count > limit
    return CutList(
      found.prefix(limit).map { .table($0.lua) },
      cut: isCut ? "These are the newest \(limit) decisions; give a limit or since." : nil
    ).results(of: session)
  }

  private func replay(_ call: LuaCall) throws -> [LuaValue] {
    let source = try source(call)
    let options = try call.options(2)
    try options.refuseUnknown(Self.replayOptions)
    let since = try options.time("since", session)
    let limit = try options.limit() ?? .max
    let policy = try LuaMergePolicy(source)
    let replay = try session.wait {
      try await $0.replay(policy, since: since, limit: limit, in: $1)
    }
    return [.object(LuaObject(type: "replay", value: ReplayView(replay)))]
  }

  private func example(_ call: LuaCall) throws -> [LuaValue] {
    let id = try call.eventID(1)
    let decision = try session.wait { try await $0.decision(id, in: $1) }
    let example = try RecordedExample(of: decision, on: try source(of: decision))
    if let failure = example.failure {
      session.output.notice(
        "The policy that decided does not pass this example: \(failure). What identifies a person "
          + "is masked.")
    }
    return [.string(example.text)]
  }

  /// The text of the version that decided; nil if the history does not have it.
  private func source(of decision: PolicyDecision) throws -> PolicySource? {
    guard let number = decision.carriedOut?.version?.number else { return nil }
    return try session.wait { graph, scope in
      try? await graph.policyVersion(number, in: scope)
    }?.source
  }

  private func defineReplay(in state: LuaState) {
    let fields = ["summary", "count", "same", "changes", "differences"]
    var type = LuaObjectType(name: "replay", fields: fields)
    type.get = { _, object, field in
      guard let view = object.value as? ReplayView, fields.contains(field) else { return nil }
      return .values([view.json[field]?.lua ?? .nil])
    }
    type.describesInLines = true
    type.describe = { session.output.drawn($0.value) ?? "replay" }
    state.define(type)
  }
}

extension PolicyDecision {
  /// The decision in one row.
  var lua: LuaTable {
    LuaTable(fields: [
      "id": .string(id), "at": .string(at.text), "code": .string(conflict.code.rawValue),
      "provider": .string(conflict.provider.rawValue),
      "policy": .optional(carriedOut?.policy),
      "version": .optional(carriedOut?.version?.number.map(Int64.init)),
      "answer": .string(ruling?.phrase ?? "none"),
    ])
  }
}
