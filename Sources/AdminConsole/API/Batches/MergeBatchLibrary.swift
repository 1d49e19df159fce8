import AuthCore
import LuaPlugins
import LuaRuntime

/// The functions of `merge` for many merges at once: lists, their files, and batches.
struct MergeBatchLibrary {
  let session: ConsoleSession

  static let listType = "mergeList"
  static let batchType = "mergeBatch"
  /// The options of `merge.planAll`.
  static let planNames = ["by", "policy", "fields", "dropIdentities", "limit", "after"]
  /// The number of pairs of a list if no limit is given.
  private static let defaultLimit = 10_000
  /// The number of groups, or of pairs, that are read at a time.
  private static let pageSize = 100

  func add(to merge: inout LuaLibrary) {
    merge.function("planAll", planAll)
    merge.function("load", load)
    merge.function("batch") { call in
      let id = try call.string(1, "id")
      let (batch, _) = try session.wait { try await $0.mergeBatch(id, in: $1) }
      return [Self.object(batch)]
    }
    merge.function("batches") { call in
      let options = try call.optionalTable(1, "options") ?? LuaTable()
      try options.refuseUnknown(["limit"])
      let limit = try options.limit() ?? MergeBatch.mostListed
      let batches = try session.wait { try await $0.mergeBatches(limit: limit, in: $1) }
      return [.table(LuaTable(array: batches.map { .table(MergeBatchView(batch: $0).lua) }))]
    }
  }

  private static func object(_ batch: MergeBatch) -> LuaValue {
    .object(LuaObject(type: batchType, value: MergeBatchView(batch: batch)))
  }

  // MARK: Lists

  private func planAll(_ call: LuaCall) throws -> [LuaValue] {
    let options = try call.filter(1, Self.planNames, all: "accounts with one e-mail address")
    let key = try DuplicateKey(options)
    let limit = try options.limit() ?? Self.defaultLimit
    let policies = try policies(options)
    let drops = try options.list("dropIdentities").map { entry throws(AuthError) -> String in
      guard let text = entry.stringValue else {
        throw options.wrongType("dropIdentities", "a list of texts", entry)
      }
      return text
    }
    let hasFields = try !options.names("fields").fields.isEmpty
    guard policies == nil || (!hasFields && drops.isEmpty) else {
      throw AuthError(
        .invalidArgument, "A policy decides the fields itself.", field: "policy",
        remedy: "Give policy, or fields and dropIdentities.")
    }
    var proposals: [MergeProposal] = []
    var last = try options.text("after")
    var isAtEnd = false
    let bar = session.output.progress("Planning")
    defer { bar.finish() }
    while !isAtEnd && proposals.count < limit {
      let (after, size) = (last, min(Self.pageSize, limit - proposals.count))
      let groups = try session.wait {
        try await $0.mergeGroups(by: key, after: after, limit: size, in: $1)
      }
      isAtEnd = groups.count < size
      for group in groups where proposals.count < limit {
        if let policies {
          proposals += try group.proposals(by: .policy(policies))
        } else {
          proposals += try group.proposals(
            by: .rules { keep, absorb in
              try MergeRules(options, drops, keep: keep, absorb: absorb, call.state)
            })
        }
        last = group.key
        if proposals.count >= limit && group.key != groups.last?.key { isAtEnd = false }
      }
      bar.update(proposals.count)
    }
    let handle = MergeListHandle(
      proposals, batch: session.graph.newMergeBatchID(), scope: session.scope,
      next: isAtEnd ? nil : last)
    if let next = handle.next, options["limit"].isNil {
      session.output.notice(
        "These are the first \(proposals.count) pairs; merge.planAll { after = \"\(next)\", … } has the next ones."
      )
    }
    return [.object(LuaObject(type: Self.listType, value: handle))]
  }

  /// Returns the policies that decide: those of the scope, or that of a file; nil if there are none.
  private func policies(_ options: LuaTable) throws -> PoliciesInForce? {
    switch options["policy"] {
    case .nil, .bool(false): return nil
    case .bool(true):
      guard let policies = try session.wait({ try await $0.policiesInForce(in: $1) }) else {
        throw AuthError(
          .invalidPolicy, "No policy is in use.", field: "policy",
          remedy: "Name a file: policy = \"keep-oldest.lua\".")
      }
      return policies
    case .string(let path):
      let source = try PolicySource(file: path, kind: "policy", of: session.host)
      return try session.wait { try await $0.policiesInForce(of: source, in: $1) }
    case let other: throw options.wrongType("policy", "true or the name of a file", other)
    }
  }

  private func load(_ call: LuaCall) throws -> [LuaValue] {
    let path = try call.string(1, "file")
    let options = try call.optionalTable(2, "options") ?? LuaTable()
    try options.refuseUnknown(["replan"])
    let reader = try MergeListReader(path: path, of: session.host, scope: session.scope)
    let handle = try list(
      reader.lines, batch: reader.batch ?? session.graph.newMergeBatchID(),
      replanning: try options.flag("replan") ?? false)
    return [.object(LuaObject(type: Self.listType, value: handle))]
  }

  /// Plans pairs on the accounts as they are.
  private func list(
    _ lines: [MergeListReader.Line], batch: String, replanning: Bool
  ) throws -> MergeListHandle {
    let entries = MergeBatchEntries(
      try session.wait { try await $0.mergeBatchEntries(of: batch, in: $1) })
    var simulation = MergeSimulation()
    var proposals: [MergeProposal] = []
    let bar = session.output.progress("Planning", total: lines.count)
    defer { bar.finish() }
    for start in stride(from: 0, to: lines.count, by: Self.pageSize) {
      let page = Array(lines[start..<min(start + Self.pageSize, lines.count)])
      let before = simulation
      let planned = try session.wait { graph, scope in
        try await graph.propose(
          page, after: before, entries: entries, replanning: replanning, in: scope)
      }
      proposals += planned.proposals
      simulation = planned.simulation
      bar.update(proposals.count)
    }
    return MergeListHandle(proposals, batch: batch, scope: session.scope)
  }

  // MARK: Types

  func install(in state: LuaState) {
    defineList(in: state)
    defineBatch(in: state)
  }

  private func defineList(in state: LuaState) {
    var type = LuaObjectType(name: Self.listType, fields: MergeListHandle.fields)
    type.get = { _, object, field in
      guard let list = object.value as? MergeListHandle, MergeListHandle.fields.contains(field)
      else { return nil }
      return .values([list.field(field)])
    }
    type.length = { ($0.value as? MergeListHandle)?.proposals.count ?? 0 }
    type.describesInLines = true
    type.describe = { session.output.drawn($0.value) ?? Self.listType }
    type.refusesSet = "a list is edited in its file: mergeList:save, then merge.load"
    type.method("plan", plan)
    type.method("save") { call in
      let list = try call.object(1, as: MergeListHandle.self, type: Self.listType)
      let path = try call.string(2, "file")
      let options = try call.optionalTable(3, "options") ?? LuaTable()
      try options.refuseUnknown(["overwrite"])
      let overwrite = try options.flag("overwrite") ?? false
      let bytes = try MergeListFormat(path: path).bytes(list.rows)
      try session.host.write(bytes, to: path, overwrite: overwrite)
      return []
    }
    type.method("commit") { call in
      try session.cannotRehearse("mergeList:commit")
      let list = try call.object(1, as: MergeListHandle.self, type: Self.listType)
      let (table, options) = try call.options(2, own: ["limit"], allowing: WriteOptions.names)
      return [
        try MergeBatchWork(session: session).commit(list, limit: try table.limit(), options)
      ]
    }
    state.define(type)
  }

  /// Returns one pair of a list as a plan, which shows both accounts side by side.
  private func plan(_ call: LuaCall) throws -> [LuaValue] {
    let list = try call.object(1, as: MergeListHandle.self, type: Self.listType)
    let number = try call.integer(2, "number")
    let proposals = list.proposals
    guard number >= 1, number <= proposals.count else {
      throw AuthError(
        .invalidArgument, "The list has \(proposals.count) pairs, and no number \(number).",
        field: "number", remedy: "Give a number from 1 to \(max(1, proposals.count)).")
    }
    let proposal = proposals[Int(number) - 1]
    guard let plan = proposal.plan else {
      throw AuthError(
        .mergeRefused, "This pair has no plan: \(proposal.reason).", field: "number",
        remedy: "Look at the accounts with accounts.get.")
    }
    return [.object(LuaObject(type: "plan", value: plan))]
  }

  private func defineBatch(in state: LuaState) {
    var type = LuaObjectType(name: Self.batchType, fields: MergeBatchView.fields)
    type.get = { _, object, field in
      guard let view = object.value as? MergeBatchView, MergeBatchView.fields.contains(field)
      else { return nil }
      // As it is now: a commit or an undo may have gone on.
      let id = view.batch.id
      let (batch, _) = try session.wait { try await $0.mergeBatch(id, in: $1) }
      return .values([MergeBatchView(batch: batch).lua[field]])
    }
    type.describe = { session.output.drawn($0.value) ?? Self.batchType }
    type.refusesSet = "a batch is changed with mergeBatch:commit and mergeBatch:undo"
    type.method("commit") { call in
      try session.cannotRehearse("mergeBatch:commit")
      let view = try call.object(1, as: MergeBatchView.self, type: Self.batchType)
      let (table, options) = try call.options(
        2, own: ["limit", "replan"], allowing: WriteOptions.names)
      let limit = try table.limit()
      let id = view.batch.id
      let pairs = try session.wait { graph, scope in
        try await graph.mergePairs(of: try await graph.mergeBatch(id, in: scope).batch, in: scope)
      }
      let list = try list(
        pairs.map { ($0, .merge, "") }, batch: id, replanning: try table.flag("replan") ?? false)
      let result = try MergeBatchWork(session: session).commit(list, limit: limit, options)
      return [result]
    }
    type.method("undo") { call in
      try session.cannotRehearse("mergeBatch:undo")
      let view = try call.object(1, as: MergeBatchView.self, type: Self.batchType)
      let options = try WriteOptions(call, 2, allowing: WriteOptions.namesOfUndo)
      return [try MergeBatchWork(session: session).undo(view.batch.id, options)]
    }
    state.define(type)
  }
}

extension DuplicateKey {
  /// Reads the option `by`; the default is the e-mail address.
  init(_ options: LuaTable) throws(AuthError) {
    let name = try options.text("by") ?? DuplicateKey.email.rawValue
    guard let key = DuplicateKey(rawValue: name) else {
      throw AuthError(
        .invalidArgument, "Duplicates cannot be found by \"\(name)\".", field: "by",
        remedy: suggestion(for: name, among: DuplicateKey.allCases.map(\.rawValue)))
    }
    self = key
  }
}

extension MergeRules {
  /// Reads the rules of `merge.planAll` for one pair; it drops the named identities that the pair has.
  fileprivate init(
    _ options: LuaTable, _ drops: [String], keep: Account, absorb: Account, _ state: LuaState
  ) throws {
    var options = options
    let keys = (keep.identities + absorb.identities).map(\.key.description)
    options["dropIdentities"] = .table(
      LuaTable(array: drops.filter(keys.contains).map { .string($0) }))
    try self.init(options, keep: keep, absorb: absorb, state)
  }
}
