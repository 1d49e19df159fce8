import AuthCore
import Foundation
import LuaPlugins
import LuaRuntime

/// The `policy` library: selects the merge policy that resolves conflicts, and tests policies.
struct PolicyLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var policy = LuaLibrary(name: "policy")
    policy.function("use", use)
    policy.function("current", current)
    policy.function("test", test)
    policy.function("remove") { call in
      let options = try WriteOptions(call, 1)
      let receipt = try session.change(options) { graph, caller in
        try await graph.changeSettings(by: caller) { $0.mergePolicy = nil }
      }
      return receipt.ifRehearsed
    }
    try state.set("policy", to: state.library(policy))
  }

  /// Installs a file, unless one of its own examples fails.
  private func use(_ call: LuaCall) throws -> [LuaValue] {
    let source = try Self.source(call)
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
    if try LuaMergePolicy(source).answersUnproven, !source.text.contains("proof") {
      ConsoleOutput.warn(
        "\(source.name) has unproven = true and never reads conflict.proof: it offers to merge "
          + "accounts that were not proven to be of one person. merge.offers() lists its offers.")
    }
    return receipt.ifRehearsed
  }

  private func current(_ call: LuaCall) throws -> [LuaValue] {
    guard let source = try session.wait({ try await $0.settings(of: $1) }).mergePolicy else {
      return [.nil]
    }
    let policy = try LuaMergePolicy(source)
    return [
      [
        "name": .string(policy.name), "file": .string(source.name),
        "on": .strings(policy.triggers.map(\.rawValue).sorted()),
        "unproven": .bool(policy.answersUnproven), "text": .string(source.text),
      ]
    ]
  }

  private func test(_ call: LuaCall) throws -> [LuaValue] {
    let source = try Self.source(call)
    let results = try LuaMergePolicy.runExamples(of: source).map { result -> LuaValue in
      [
        "name": .string(result.name), "passed": .bool(result.passed),
        "failure": .optional(result.failure),
        "log": result.log.isEmpty ? .nil : .strings(result.log),
      ]
    }
    return [.table(LuaTable(array: results))]
  }

  private static func source(_ call: LuaCall) throws -> PolicySource {
    try PolicySource(file: try call.string(1, "file"), kind: "policy")
  }
}

extension PolicySource {
  /// Reads a script; throws `invalid-policy` if the file cannot be read, or is not the text of a script.
  init(file path: String, kind: String) throws(AuthError) {
    let source = try LuaSource(file: path, kind: "\(kind) file", code: .invalidPolicy)
    self.init(name: path, text: source.text)
  }
}
