import AuthCore
import LuaPlugins
import LuaRuntime

/// The functions that try policies on every kind of conflict.
extension PolicyLibrary {
  func installProving(in policy: inout LuaLibrary, _ state: LuaState) {
    define(PolicyProofView.self, in: state)
    define(PolicyComparisonView.self, in: state)
    policy.function("prove") { call in
      let proof = try PolicyProof(of: source(call.string(1, "file")))
      return [PolicyProofView(proof: proof).object]
    }
    policy.function("compare") { call in
      let first = try source(call.string(1, "first"))
      guard let second = try call.optionalString(2, "second").map(source) else {
        return [try compare(inUse(), first)]
      }
      return [try compare(first, second)]
    }
  }

  private func compare(_ first: PolicySource, _ second: PolicySource) throws -> LuaValue {
    PolicyComparisonView(
      first: first.name, second: second.name,
      comparison: try PolicyComparison(of: first, and: second)
    ).object
  }

  private func inUse() throws -> PolicySource {
    guard let source = try session.wait({ try await $0.settings(of: $1) }).mergePolicy else {
      throw AuthError(
        .invalidPolicy, "No policy is in use.", field: "first",
        remedy: "Give two files: policy.compare(first, second).")
    }
    return source
  }

  private func source(_ path: String) throws -> PolicySource {
    try PolicySource(file: path, kind: "policy", of: session.host)
  }

  private func define<View: ProvingView>(_ view: View.Type, in state: LuaState) {
    var type = LuaObjectType(name: View.typeName, fields: View.fields)
    type.get = { _, object, field in
      guard let view = object.value as? View, View.fields.contains(field) else { return nil }
      return .values([view.lua[field]])
    }
    type.describesInLines = true
    type.describe = { session.output.drawn($0.value) ?? View.typeName }
    type.refusesSet = "it is the result of a search"
    state.define(type)
  }
}

/// A result of trying policies, as a script holds it and people read it.
protocol ProvingView: Drawing {
  static var typeName: String { get }
  static var fields: [String] { get }
  var lua: LuaTable { get }
  var shortText: String { get }
}

extension ProvingView {
  var object: LuaValue { .object(LuaObject(type: Self.typeName, value: self)) }
}
