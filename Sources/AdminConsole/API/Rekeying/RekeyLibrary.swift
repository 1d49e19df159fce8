import AuthCore
import LuaPlugins
import LuaRuntime

/// The functions `provider.rekey` and `.rekeys`, which plan and list new keys for identities.
struct RekeyLibrary {
  let session: ConsoleSession

  static let typeName = "rekey"
  private static let batchSizes: ClosedRange<Int64> = 1...10_000

  /// Makes the planning function; `provider.rekey { … }` and `provider:rekey { … }` mean the same.
  func planner(_ id: ProviderID, _ state: LuaState) -> LuaFunction {
    state.function(
      named: "\(id).rekey", signed: "providers.rekey", receiver: "provider"
    ) { call in
      let index = call.typeName(1) == "provider" ? 2 : 1
      let table = try call.options(index)
      try table.refuseUnknown(["from", "to", "map", "window"])
      let from = try IdentitySource(table, "from", of: id)
      let to = try IdentitySource(table, "to", of: id)
      let keepsSubjects = table["map"].isNil
      let window = try table.number("window", in: 0...Rekey.longestWindow)
      let caller = session.caller(try WriteOptions(LuaTable(), allowing: []))
      let rekey = try session.wait { graph, _ in
        try await graph.planRekey(
          from: from, to: to, keepsSubjects: keepsSubjects,
          window: window.map(Int64.init) ?? Rekey.usualWindow, by: caller)
      }
      let work = RekeyWork(session: session, state: call.state, rekey: rekey)
      let mapping = try RekeyMapping(table["map"], for: rekey, of: session.host)
      let shared = try work.sharedKeys(mapping)
      let preview = try work.preview(mapping, shared)
      let handle = RekeyHandle(
        rekey, by: mapping, sharing: shared, preview: preview, progress: try work.progress())
      return [object(handle)]
    }
  }

  /// Makes the function that lists open plans.
  func lister(_ id: ProviderID, _ state: LuaState) -> LuaFunction {
    state.function(
      named: "\(id).rekeys", signed: "providers.rekeys", receiver: "provider"
    ) { call in
      let rekeys = try session.wait { try await $0.rekeys(in: $1) }
        .filter { $0.from.provider == id || $0.to.provider == id }
      let handles = try rekeys.map { rekey in
        let mapping: RekeyMapping? = rekey.keepsSubjects ? .same : nil
        let work = RekeyWork(session: session, state: call.state, rekey: rekey)
        return object(RekeyHandle(rekey, by: mapping, progress: try work.progress()))
      }
      return [.table(LuaTable(array: handles))]
    }
  }

  private func object(_ handle: RekeyHandle) -> LuaValue {
    .object(LuaObject(type: Self.typeName, value: handle))
  }

  func install(in state: LuaState) {
    var type = LuaObjectType(name: Self.typeName, fields: RekeyHandle.fields)
    type.get = { _, object, field in
      guard let handle = object.value as? RekeyHandle, RekeyHandle.fields.contains(field) else {
        return nil
      }
      return .values([handle.lua[field]])
    }
    type.describesInLines = true
    type.describe = { session.output.drawn($0.value) ?? Self.typeName }
    type.refusesSet = "a plan is not edited; make another one with provider.rekey { … }"
    type.method("commit", commit)
    type.method("rollback") { try end($0, finishes: false) }
    type.method("finish") { try end($0, finishes: true) }
    state.define(type)
  }

  private func commit(_ call: LuaCall) throws -> [LuaValue] {
    let handle = try call.object(1, as: RekeyHandle.self, type: Self.typeName)
    let (table, options) = try call.options(2, own: ["batch", "map"], allowing: WriteOptions.names)
    let limit = try table.number("batch", in: Self.batchSizes) ?? 500
    try session.cannotRehearse("plan:commit of a rekey")
    let work = RekeyWork(session: session, state: call.state, rekey: handle.rekey)
    var (mapping, shared) = (handle.mapping, handle.shared)
    if !table["map"].isNil {
      let given = try RekeyMapping(table["map"], for: handle.rekey, of: session.host)
      mapping = given
      shared = try work.sharedKeys(given)
    }
    guard let mapping else {
      throw AuthError(
        .invalidArgument, "The map of the rekey \(handle.rekey.id) was not kept.", field: "map",
        remedy: "Give it again: plan:commit { map = … }.")
    }
    let (receipt, progress) = try work.commit(
      mapping, sharing: shared, limit: limit, total: handle.preview?.found, options)
    if !options.dryRun { handle.keep(progress) }
    return [
      [
        "id": .optional(receipt?.id), "rekey": .string(handle.rekey.id), "action": "rekey",
        "rekeyed": .integer(Int64(progress.rekeyed)),
        "unmapped": .integer(Int64(progress.unmapped)),
        "conflicts": .integer(Int64(progress.conflicts)), "dryRun": .bool(options.dryRun),
      ]
    ]
  }

  private func end(_ call: LuaCall, finishes: Bool) throws -> [LuaValue] {
    let handle = try call.object(1, as: RekeyHandle.self, type: Self.typeName)
    let (table, options) = try call.options(
      2, own: ["batch"], allowing: finishes ? WriteOptions.namesWithForce : WriteOptions.names)
    let limit = try table.number("batch", in: Self.batchSizes) ?? 500
    try session.cannotRehearse(finishes ? "plan:finish of a rekey" : "plan:rollback of a rekey")
    let rekey = handle.rekey
    let progress = session.output.progress(finishes ? "Forgetting old keys" : "Rolling back")
    defer { progress.finish() }
    var ending: RekeyEnding?
    var receipt: Receipt?
    while ending?.isOver != true {
      let last = ending
      ending = try session.change(options) { graph, caller in
        finishes
          ? try await graph.finish(
            rekey, behind: last, limit: limit, force: options.force, by: caller)
          : try await graph.rollBack(rekey, behind: last, limit: limit, by: caller)
      }
      receipt = ending?.receipt ?? receipt
      progress.update(ending?.changed ?? 0)
    }
    return [
      [
        "id": .optional(receipt?.id), "rekey": .string(rekey.id),
        "action": .optional(receipt?.action.rawValue),
        "changed": .integer(Int64(ending?.changed ?? 0)), "dryRun": .bool(options.dryRun),
      ]
    ]
  }
}

extension IdentitySource {
  /// Reads an issuer, or `{ providerID =, issuer = }`; absent parts default to the provider's own.
  fileprivate init(_ table: LuaTable, _ name: String, of provider: ProviderID) throws(AuthError) {
    if table[name].stringValue != nil || table[name].isNil {
      self.init(provider, issuer: try table.text(name) ?? "")
      return
    }
    guard let fields = table[name].tableValue else {
      throw table.wrongType(name, "an issuer, or { providerID = …, issuer = … }", table[name])
    }
    try fields.refuseUnknown(["providerID", "issuer"])
    self.init(
      try fields.text("providerID").map { ProviderID($0) } ?? provider,
      issuer: try fields.text("issuer") ?? "")
  }
}
