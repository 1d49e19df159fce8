import AuthCore
import LuaRuntime

/// What a policy answers, as `merge` and `refuse` make it.
enum PolicyAnswer {
  case merge(into: String, from: String, fields: PlanFields, dropIdentities: LuaTable?)
  case refuse(String)
}

extension PolicyAnswer {
  /// The answer in Lua: a record where it is only names, and else a table, which counts for all that a script
  /// puts into it and may refer to functions.
  var outcome: LuaOutcome {
    isPlain ? .record(self) : .table(fields: 5, writeAll)
  }

  private var isPlain: Bool {
    guard case .merge(let into, let from, let fields, nil) = self else { return false }
    return into.utf8.count <= 128 && from.utf8.count <= 128
      && fields.functions.isEmpty
  }
}

extension PolicyAnswer: LuaRecord {
  static let luaFields = LuaFieldNames([
    "answer", "reason", "into", "from", "fields", "dropIdentities",
  ])

  var luaBytes: Int { 1000 }

  func write(_ place: Int, to table: LuaTableWriter) {
    switch self {
    case .refuse(let reason):
      switch place {
      case 0: table.set("answer", "refuse")
      case 1: table.set("reason", reason)
      default: break
      }
    case .merge(let into, let from, let fields, let dropIdentities):
      switch place {
      case 0: table.set("answer", "merge")
      case 2: table.set("into", into)
      case 3: table.set("from", from)
      case 4: table.set("fields", fields: 4) { fields.write(to: $0) }
      case 5: if let dropIdentities { table.set("dropIdentities", value: .table(dropIdentities)) }
      default: break
      }
    }
  }

  /// Reads an answer of which nothing has to be copied: names that no script has changed, or a refusal; nil for any other.
  init?(plain table: LuaReference, in state: LuaState) {
    if let answer = state.untouchedRecord(of: table) as? PolicyAnswer {
      self = answer
    } else if state.field("answer", of: table).stringValue == "refuse" {
      self = .refuse(state.field("reason", of: table).stringValue ?? "no reason given")
    } else {
      return nil
    }
  }

  /// Reads what `decide` returned; nil where it is no answer.
  init?(_ value: LuaValue, in state: LuaState) throws {
    guard let table = value.referenceValue else { return nil }
    if let answer = PolicyAnswer(plain: table, in: state) {
      self = answer
      return
    }
    // The policy has had its hands on it, so that it is read like any table.
    func copy(_ name: String) throws(LuaError) -> LuaTable? {
      guard let field = state.field(name, of: table).referenceValue else { return nil }
      return try state.value(of: field).tableValue
    }
    guard state.field("answer", of: table).stringValue == "merge" else { return nil }
    self = .merge(
      into: state.field("into", of: table).stringValue ?? "",
      from: state.field("from", of: table).stringValue ?? "",
      fields: try PlanFields(copy("fields") ?? LuaTable()),
      dropIdentities: try copy("dropIdentities"))
  }
}
