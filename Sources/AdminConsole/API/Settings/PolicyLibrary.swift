import AuthCore
import Foundation
import LuaPlugins
import LuaRuntime
import TerminalOutput

/// The `policy` library: selects the merge policy that resolves conflicts, and tests policies.
struct PolicyLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    definePolicy(in: state)
    defineTest(in: state)
    defineDiff(in: state)
    var policy = LuaLibrary(name: "policy")
    policy.function("use", use)
    policy.function("current", current)
    policy.function("test", test)
    policy.function("ask", ask)
    policy.function("debug", debug)
    installProving(in: &policy, state)
    installReplay(in: state, &policy)
    policy.function("remove", remove)
    addVersions(to: &policy)
    try state.set("policy", to: state.library(policy))
  }

  /// The options of `policy.use` beside those of every write.
  static let useNames = ["level", "canary"]

  /// Installs a file, unless one of the checks refuses it.
  private func use(_ call: LuaCall) throws -> [LuaValue] {
    let source = try source(call)
    let (table, options) = try call.options(
      2, own: Self.useNames, allowing: WriteOptions.namesWithForce)
    let use = try PolicyUse(table)
    let findings = try PolicyChecks.findings(in: source)
    let reason = session.caller(options).reason
    if let refusal = findings.refusal(force: options.force, reason: reason) { throw refusal }
    let (receipt, _) = try session.change(options) { graph, caller in
      try await graph.usePolicy(source, as: use, evidence: findings.evidence, by: caller)
    }
    findings.notices.forEach(session.output.notice)
    guard !receipt.dryRun else { return receipt.ifRehearsed }
    return try shown(use.isTrial ? .trial : .inUse, showsText: false)
  }

  private func current(_ call: LuaCall) throws -> [LuaValue] {
    let settings = try session.wait { try await $0.settings(of: $1) }
    return try shown(settings.mergePolicy == nil ? .trial : .inUse, showsText: true)
  }

  private func remove(_ call: LuaCall) throws -> [LuaValue] {
    let (table, options) = try call.options(1, own: ["trial"], allowing: WriteOptions.names)
    let onlyTrial = try table.flag("trial") ?? false
    let receipt = try session.change(options) { graph, caller in
      try await graph.removePolicy(onlyTrial: onlyTrial, by: caller)
    }
    guard !receipt.dryRun else { return receipt.ifRehearsed }
    return [
      onlyTrial
        ? "No policy is on trial." : "No policy is in use: conflicts are errors."
    ]
  }

  /// The policy of a scope to show.
  enum Place {
    case inUse, trial
  }

  /// Returns the policy in use, with the one on trial beside it, or that one alone; nil if there is none.
  func shown(_ place: Place, showsText: Bool) throws -> [LuaValue] {
    let settings = try session.wait { try await $0.settings(of: $1) }
    let trial = try settings.policyTrial.map {
      try PolicyView(
        $0.source, standing: .trial(share: $0.share), version: $0.version, showsText: showsText)
    }
    guard place == .inUse else { return [trial?.object ?? .nil] }
    guard let source = settings.mergePolicy else { return [.nil] }
    return [
      try PolicyView(
        source, standing: .inUse(settings.policyLevel ?? .decide),
        version: settings.policyVersions?.inUse, trial: trial, showsText: showsText
      ).object
    ]
  }

  private func definePolicy(in state: LuaState) {
    let fields = PolicyView.fields
    var type = LuaObjectType(name: "policy", fields: fields)
    type.get = { _, object, field in
      guard let view = object.value as? PolicyView, fields.contains(field) else { return nil }
      return .values([view.lua[field]])
    }
    type.describe = { ($0.value as? PolicyView)?.shortText ?? "policy" }
    type.refusesSet = "a policy is changed in its file, and put to use with policy.use"
    state.define(type)
  }

  /// The file that the first argument names.
  func source(_ call: LuaCall) throws -> PolicySource {
    try PolicySource(file: try call.string(1, "file"), kind: "policy", of: session.host)
  }
}

extension PolicySource {
  /// Reads a script of the admin's machine; a policy together with the files that it includes.
  ///
  /// Throws `invalid-policy` if a file cannot be read, or is not the text of a script.
  init(file path: String, kind: String, of host: any ConsoleHost) throws(AuthError) {
    func text(_ path: String) throws(AuthError) -> String {
      try LuaSource(file: path, kind: "\(kind) file", code: .invalidPolicy) {
        path, limit throws(InputFile.Unreadable) in try host.contents(of: path, atMost: limit)
      }.text
    }
    guard kind == "policy" else {
      self.init(name: path, text: try text(path))
      return
    }
    try self.init(policy: path, reading: text)
  }
}
