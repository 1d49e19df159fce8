import AuthCore
import LuaRuntime

/// The object of a plan: its data, the accounts that it concerns, and `commit`.
///
/// A plan is not edited. Its accounts are those of the store as they are when a script reads them; the other fields
/// keep the planned state.
struct PlanObject<Plan: Sendable> {
  let session: ConsoleSession
  /// The name of the object's type.
  let name: String
  let fields: [String]
  /// The fields that are accounts; nil for an account that does not exist yet.
  let accounts: [String: @Sendable (Plan) -> Account?]
  /// Returns the plan as data.
  let data: @Sendable (Plan) -> LuaTable
  /// The functions that make such a plan.
  let makers: String
  /// The options of `commit`.
  let options: [String]
  let commit: @Sendable (AccountGraph, Plan, WriteOptions, Caller) async throws -> Receipt

  func install(in state: LuaState) {
    var type = LuaObjectType(
      name: name, fields: fields, fieldTypes: accounts.mapValues { _ in "account" })
    type.get = { _, object, field in
      guard let plan = object.value as? Plan else { return nil }
      if let account = accounts[field] {
        return .values([account(plan).map { session.object($0, read: .outdated) } ?? .nil])
      }
      let value = data(plan)[field]
      return value.isNil ? nil : .values([value])
    }
    type.describesInLines = true
    type.describe = { session.output.drawn($0.value) ?? "plan" }
    type.refusesSet = "a plan is not edited; make another one with \(makers)"
    type.method("commit") { call in
      let plan = try call.object(1, as: Plan.self, type: name)
      let options = try WriteOptions(call, 2, allowing: options)
      let receipt = try session.change(options) { [commit] graph, caller in
        try await commit(graph, plan, options, caller)
      }
      return [.object(LuaObject(type: "receipt", value: receipt))]
    }
    state.define(type)
  }
}
