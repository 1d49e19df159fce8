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
    var policy = LuaLibrary(name: "policy")
    policy.function("use", use)
    policy.function("current", current)
    policy.function("test", test)
    policy.function("ask", ask)
    policy.function("debug", debug)
    installProving(in: &policy, state)
    installReplay(in: state, &policy)
    policy.function("remove") { call in
      let options = try WriteOptions(call, 1)
      let receipt = try session.change(options) { graph, caller in
        try await graph.changeSettings(by: caller) { $0.mergePolicy = nil }
      }
      return receipt.dryRun
        ? receipt.ifRehearsed : ["No policy is in use: conflicts are errors."]
    }
    try state.set("policy", to: state.library(policy))
  }

  /// Installs a file, unless one of its own examples fails.
  private func use(_ call: LuaCall) throws -> [LuaValue] {
    let source = try source(call)
    let options = try WriteOptions(call, 2, allowing: WriteOptions.namesWithForce)
    let failed = try LuaMergePolicy.runExamples(of: source).filter { !$0.passed }
    if let first = failed.first, !options.force {
      throw AuthError(
        .invalidPolicy,
        (failed.count == 1
          ? "An example of \(source.name) does not pass, "
          : "\(failed.count) of the examples of \(source.name) do not pass; the first is ")
          + "\"\(first.name)\": \(first.failure ?? "")",
        remedy: "Look at policy.test \"\(source.name)\", and correct the policy or its examples.")
    }
    let receipt = try session.change(options) { graph, caller in
      try await graph.changeSettings(by: caller) { $0.mergePolicy = source }
    }
    let policy = try LuaMergePolicy(source)
    if policy.answersUnproven, !source.text.contains("proof") {
      session.output.notice(
        "\(source.name) has unproven = true and never reads conflict.proof: it offers to merge "
          + "accounts that were not proven to be of one person. merge.offers() lists its offers.")
    }
    guard !receipt.dryRun else { return receipt.ifRehearsed }
    return [PolicyView(policy, source, showsText: false).object]
  }

  private func current(_ call: LuaCall) throws -> [LuaValue] {
    guard let source = try session.wait({ try await $0.settings(of: $1) }).mergePolicy else {
      return [.nil]
    }
    return [PolicyView(try LuaMergePolicy(source), source, showsText: true).object]
  }

  private func definePolicy(in state: LuaState) {
    let fields = ["name", "file", "on", "unproven", "text"]
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

/// The policy in use, as a script holds it and people read it.
struct PolicyView: Drawing {
  private let policy: LuaMergePolicy
  private let source: PolicySource
  /// True if the source is shown below the facts.
  private let showsText: Bool

  init(_ policy: LuaMergePolicy, _ source: PolicySource, showsText: Bool) {
    (self.policy, self.source, self.showsText) = (policy, source, showsText)
  }

  var object: LuaValue { .object(LuaObject(type: "policy", value: self)) }

  private var triggers: [String] { policy.triggers.map(\.rawValue).sorted() }

  var shortText: String { "policy \(policy.name) of \(source.name)" }

  var lua: LuaTable {
    LuaTable(fields: [
      "name": .string(policy.name), "file": .string(source.name), "on": .strings(triggers),
      "unproven": .bool(policy.answersUnproven), "text": .string(source.text),
    ])
  }

  func painted(for profile: TerminalProfile) -> PaintedText {
    let facts = KeyValueBlock([
      ("policy in use", Cell(policy.name, style: .accent)), ("file", Cell(source.name)),
      ("on", Cell(triggers.joined(separator: ", "))),
      ("unproven", Cell(policy.answersUnproven ? "offers a merge" : "is not asked")),
    ])
    let painted = facts.painted(for: profile)
    return showsText ? painted + "\n\n" + PaintedText(source.text.trimmed) : painted
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .newlines) }
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
    self.init(name: path, text: try text(path))
    guard kind == "policy" else { return }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    self = try bundled { name throws(AuthError) in try text(folder + name) }
  }
}
