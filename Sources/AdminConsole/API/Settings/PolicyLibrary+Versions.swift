import AuthCore
import LuaPlugins
import LuaRuntime

/// The functions of `policy` for the history of versions.
extension PolicyLibrary {
  /// The number of versions that `policy.history` returns if no limit is given.
  private static let usualHistory = 50

  func addVersions(to policy: inout LuaLibrary) {
    policy.function("history", history)
    policy.function("version") { call in
      let version = try version(try call.integer(1, "number"))
      return [
        try PolicyView(version.source, standing: .past, version: version.id, showsText: true).object
      ]
    }
    policy.function("diff", diff)
    policy.function("rollback") { call in
      let number = try number(try call.integer(1, "number"))
      let options = try WriteOptions(call, 2)
      return try changed(options) { try await $0.rollBackPolicy(to: number, by: $1).receipt }
    }
    policy.function("promote") { call in
      let options = try WriteOptions(call, 1)
      return try changed(options) { try await $0.promotePolicy(by: $1).receipt }
    }
  }

  func defineDiff(in state: LuaState) {
    var type = LuaObjectType(name: PolicyDiff.type, fields: PolicyDiff.fields)
    type.get = { _, object, field in
      guard let diff = object.value as? PolicyDiff, PolicyDiff.fields.contains(field) else {
        return nil
      }
      return .values([diff.lua[field]])
    }
    type.describesInLines = true
    type.describe = { session.output.drawn($0.value) ?? PolicyDiff.type }
    type.refusesSet = "a difference is a value; policy.diff makes another one"
    state.define(type)
  }

  private func changed(
    _ options: WriteOptions,
    _ body: @escaping @Sendable (AccountGraph, Caller) async throws -> Receipt
  ) throws -> [LuaValue] {
    let receipt = try session.change(options, body)
    return receipt.dryRun ? receipt.ifRehearsed : try shown(.inUse, showsText: false)
  }

  private func number(_ number: Int64) throws(AuthError) -> Int {
    guard let number = Int(exactly: number), number > 0 else {
      throw AuthError(
        .invalidArgument, "There is no version \(number).", field: "number",
        remedy: "Choose one of policy.history().")
    }
    return number
  }

  private func version(_ given: Int64) throws -> PolicyVersion {
    let number = try number(given)
    return try session.wait { try await $0.policyVersion(number, in: $1) }
  }

  /// Lists the versions, newest first.
  private func history(_ call: LuaCall) throws -> [LuaValue] {
    let options = try call.options(1)
    try options.refuseUnknown(["limit", "before"])
    let asked = try options.limit()
    let before = try options.number("before", in: 1...Int64(Int32.max))
    let limit = asked ?? Self.usualHistory
    let (versions, inUse, trial) = try session.wait { graph, scope in
      let settings = try await graph.settings(of: scope)
      // One version more than the limit shows whether the list is cut.
      let versions = try await graph.policyHistory(before: before, limit: limit + 1, in: scope)
      return (versions, settings.policyVersions?.inUse, settings.policyTrial)
    }
    let isCut = asked == nil && versions.count > limit
    let rows = versions.prefix(limit).map { version -> LuaValue in
      var row = version.lua
      if version.id == inUse { row["now"] = "in use" }
      if version.id == trial?.version {
        row["now"] = .string(trial?.share.map { "canary of \($0)" } ?? "shadow")
      }
      return .table(row)
    }
    return CutList(
      Array(rows),
      cut: isCut
        ? "These are the newest \(limit) versions; give a limit, or before = the last number." : nil
    ).results(of: session)
  }

  /// Compares two texts by lines; each is a version's number or a file.
  private func diff(_ call: LuaCall) throws -> [LuaValue] {
    let old = try side(call, 1)
    let new = call.isNil(2) ? try inUse() : try side(call, 2)
    return [PolicyDiff(from: old, to: new).object]
  }

  private func side(_ call: LuaCall, _ index: Int) throws -> PolicyDiff.Side {
    if case .string(let path) = try call.value(index) {
      let source = try PolicySource(file: path, kind: "policy", of: session.host)
      return PolicyDiff.Side(title: path, text: source.text)
    }
    let version = try version(try call.integer(index, index == 1 ? "a" : "b"))
    return PolicyDiff.Side(
      title: "version \(version.number) of \(version.source.name)", text: version.source.text)
  }

  private func inUse() throws -> PolicyDiff.Side {
    guard let source = try session.wait({ try await $0.settings(of: $1) }).mergePolicy else {
      throw AuthError(
        .invalidPolicy, "No policy is in use.", field: "b",
        remedy: "Name both sides: policy.diff(1, 2).")
    }
    return PolicyDiff.Side(title: "\(source.name), in use", text: source.text)
  }
}

extension PolicyVersion {
  /// The entry of the history as data, without its text.
  fileprivate var lua: LuaTable {
    LuaTable(fields: [
      "version": .integer(Int64(number)), "digest": .string(id.shortDigest),
      "file": .string(source.name), "at": .string(at.text), "actor": .string(actor),
      "reason": .optional(reason), "event": .string(event),
      "level": .string(use.share.map { "canary of \($0)" } ?? use.level.rawValue),
      "goesBackTo": goesBackTo.map { .integer(Int64($0)) } ?? .nil,
      "passed": evidence.map { .integer(Int64($0.examplesPassed)) } ?? .nil,
      "failed": evidence.map { .integer(Int64($0.examplesFailed)) } ?? .nil,
      "coverage": evidence?.coverage.map { .number($0) } ?? .nil,
    ])
  }
}

extension PolicyUse {
  /// Reads the options `level` and `canary`.
  init(_ options: LuaTable) throws(AuthError) {
    let name = try options.text("level")
    let level = name.flatMap(PolicyLevel.init(rawValue:))
    if let name, level == nil {
      throw AuthError(
        .invalidArgument, "There is no level \"\(name)\".", field: "level",
        remedy: suggestion(for: name, among: PolicyLevel.allCases.map(\.rawValue)))
    }
    let share: Double
    switch options["canary"] {
    case .nil:
      self.init(level ?? .decide)
      return
    case .number(let number): share = number
    case .integer(let number): share = Double(number)
    case let other: throw options.wrongType("canary", "a number between 0 and 1", other)
    }
    guard level == nil || level == .decide else {
      throw AuthError(
        .invalidArgument, "A canary decides its pairs, so its level is decide.", field: "level",
        remedy: "Give level or canary, not both.")
    }
    try self.init(canary: share)
  }
}
