import AuthCore
import LuaPlugins
import LuaRuntime

/// Converts host objects to data, for `--json` and `json.encode`.
struct ObjectData {
  let session: ConsoleSession

  /// Returns the data; nil if the object has none, like a secret.
  func table(of object: LuaObject) -> LuaTable? {
    switch object.value {
    case let handle as AccountHandle: handle.current(session).lua(of: handle.id)
    case let receipt as Receipt: receipt.lua
    case let event as AuditEvent: event.lua
    case let trace as TraceView: trace.lua
    case let plan as MergePlan: plan.lua
    case let plan as TransferPlan: plan.lua
    case let policy as PolicyView: policy.lua
    case let test as PolicyTestView: test.list
    case let view as any ProvingView: view.lua
    case let diff as PolicyDiff: diff.lua
    case let view as RehearsalView: view.lua
    case let handle as RekeyHandle: handle.lua
    case let list as MergeListHandle: list.lua
    case let view as MergeBatchView: view.lua
    case let view as GraphView:
      LuaTable(fields: [
        "account": .table(view.account.lua), "aliases": .strings(view.aliases.map(\.id.rawValue)),
        "sharedWith": .strings(view.sharedWith),
      ])
    case let view as MultiFactorView:
      view.lua(session)
    case let view as ResolverView: view.lua
    case let view as EnrollmentView:
      LuaTable(fields: [
        "factorID": .string(view.kind), "expiresAt": .string(view.enrollment.expiresAt.text),
      ])
    case let provider as ProviderID: LuaTable(fields: ["id": .string(provider.rawValue)])
    case let credential as Credential:
      LuaTable(fields: ["providerID": .string(credential.provider.rawValue)])
    default: nil
    }
  }
}
