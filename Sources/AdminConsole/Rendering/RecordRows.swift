import AuthCore
import LuaPlugins
import LuaRuntime

/// A result as records of plain data, for CSV and JSON: one for each element of a list.
struct RecordRows {
  let state: LuaState
  let session: ConsoleSession

  /// The order of the columns that are known.
  private static let order = [
    "decision", "keep", "absorb", "key", "name", "id", "uid", "providerID", "email",
    "emailVerified", "displayName",
    "phoneNumber", "photoURL", "disabled", "isAnonymous", "providers", "customClaims", "at",
    "action", "what", "account", "accountID", "from", "to", "actor", "reason",
    "outcome", "request", "survivor", "absorbed",
  ]

  /// Returns the records of a list, of one record, or of a list of plain values.
  func records(of value: LuaValue) throws -> [LuaTable] {
    switch value {
    case .object(let object): return rows(of: object)
    case .reference(let reference) where reference.typeName == "table":
      return try records(of: try state.value(of: reference))
    case .table(let table):
      guard table.fields.isEmpty else { return [table] }
      return table.array.flatMap { element in
        if let object = element.objectValue { return rows(of: object) }
        return [element.tableValue ?? LuaTable(fields: ["value": element])]
      }
    case .nil: return []
    default: return [LuaTable(fields: ["value": value])]
    }
  }

  private func rows(of object: LuaObject) -> [LuaTable] {
    switch object.value {
    case let handle as AccountHandle: return [account(handle)]
    case let plan as MergePlan:
      return plan.lua["fields"].tableValue?.array.compactMap(\.tableValue).map { field in
        var row = field
        row["survivor"] = .string(plan.survivor.id.rawValue)
        row["absorbed"] = .string(plan.absorbed.id.rawValue)
        return row
      } ?? []
    case let plan as TransferPlan:
      return plan.lua["fields"].tableValue?.array.compactMap(\.tableValue) ?? []
    case let test as PolicyTestView: return test.rows.compactMap(\.tableValue)
    case let id as ProviderID:
      let manifest = session.graph.providers[id]?.manifest
      return [
        LuaTable(fields: [
          "id": .string(id.rawValue), "name": .optional(manifest?.name),
          "kind": .optional(manifest?.kind.rawValue),
        ])
      ]
    case let receipt as Receipt where receipt.dryRun && !receipt.changes.isEmpty:
      return receipt.lua["changes"].tableValue?.array.compactMap(\.tableValue) ?? []
    default:
      let data = ObjectData(session: session).table(of: object)
      return [data ?? LuaTable(fields: ["value": .string(state.describe(.object(object)))])]
    }
  }

  /// An account in one flat record: a reader of a table has no use for nested ones.
  private func account(_ handle: AccountHandle) -> LuaTable {
    let standing = handle.current(session)
    guard let account = standing.account else {
      return LuaTable(fields: [
        "uid": .string(handle.id.rawValue), "gone": .optional(standing.goneText),
      ])
    }
    var table = account.lua
    for name in ["metadata", "multiFactor", "providerData"] { table[name] = .nil }
    table["providers"] = .string(account.identities.map(\.key.description).joined(separator: ", "))
    table["secondFactors"] = .string(
      account.secondFactors.map(\.factorID).joined(separator: ", "))
    table["createdAt"] = .string(account.createdAt.text)
    table["lastSignInAt"] = .optional(account.lastSignInAt?.text)
    return table
  }

  /// Returns the records as CSV: plain values as they are, nested ones as JSON, and accounts by their uids.
  func csv(_ value: LuaValue, guarding: CSVText.Guarding) throws -> String {
    if value.objectValue?.value is MergeListHandle {
      throw AuthError(
        .invalidArgument, "A list of merges has a file of its own, which merge.load reads.",
        field: "value", remedy: "Write list:save \"plans.csv\".")
    }
    let records = try records(of: value)
    let present = Set(records.flatMap(\.fields.keys))
    let known = Self.order.filter(present.contains)
    let names = known + present.subtracting(known).sorted()
    let rows = records.map { record in names.map { cell(record[$0]) } }
    return CSVText(names: names, rows: rows, guarding: guarding).text
  }

  private func cell(_ value: LuaValue) -> String {
    switch value {
    case .nil, .null: return ""
    case .string(let text): return text
    case .bool(let flag): return flag ? "true" : "false"
    case .integer(let number): return "\(number)"
    case .object(let object):
      return (object.value as? AccountHandle)?.id.rawValue ?? state.describe(value)
    case .table(let table)
    where table.fields.isEmpty && !table.array.contains { $0.tableValue != nil }:
      return table.array.map(cell).joined(separator: ", ")
    default:
      return (try? state.json(value)).map { String(decoding: $0, as: UTF8.self) }
        ?? state.describe(value)
    }
  }
}
