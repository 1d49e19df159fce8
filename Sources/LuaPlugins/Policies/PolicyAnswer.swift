import AuthCore
import LuaRuntime

/// A policy's answer, as `merge` and `refuse` make it.
enum PolicyAnswer {
  case merge(into: String, from: String, fields: PlanFields, dropIdentities: LuaTable?)
  case refuse(String, line: Int?)
}

extension PolicyAnswer {
  /// The answer in Lua: a record if it has only names, otherwise a table.
  ///
  /// A script can change a table, and a table may refer to functions.
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
    "answer", "reason", "into", "from", "fields", "dropIdentities", "line",
  ])

  var luaBytes: Int { 1000 }

  func write(_ place: Int, to table: LuaTableWriter) {
    switch self {
    case .refuse(let reason, let line):
      switch place {
      case 0: table.set("answer", "refuse")
      case 1: table.set("reason", reason)
      case 6: table.set("line", line.map(Int64.init))
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

  /// Reads an answer without copying: names that no script has changed, or a refusal; nil for any other answer.
  init?(plain table: LuaReference, in state: LuaState) {
    if let answer = state.untouchedRecord(of: table) as? PolicyAnswer {
      self = answer
    } else if state.field("answer", of: table).stringValue == "refuse" {
      self = .refuse(
        state.field("reason", of: table).stringValue ?? "no reason given",
        line: state.field("line", of: table).integerValue.map { Int(clamping: $0) })
    } else {
      return nil
    }
  }

  /// Reads the value that a file's `decide` returned; nil if it is not an answer.
  init?(_ value: LuaValue, in state: LuaState, of file: String) throws {
    guard let table = value.referenceValue else { return nil }
    if let answer = PolicyAnswer(plain: table, in: state) {
      self = answer
      return
    }
    guard case .table(let copy) = try state.value(of: table) else { return nil }
    if let refusal = try MergeRefusal(within: copy, of: file) {
      self = .refuse(refusal)
      return
    }
    // The policy has changed it, so it is read like any table.
    guard copy["answer"].stringValue == "merge" else { return nil }
    self = .merge(
      into: copy["into"].stringValue ?? "", from: copy["from"].stringValue ?? "",
      fields: try PlanFields(copy["fields"].tableValue ?? LuaTable()),
      dropIdentities: copy["dropIdentities"].tableValue)
  }

  static func refuse(_ refusal: MergeRefusal) -> PolicyAnswer {
    .refuse(refusal.reason, line: refusal.place?.split(separator: ":").last.flatMap { Int($0) })
  }
}

extension MergeRefusal {
  /// Finds the refusal that a Lua value is or contains, which becomes the whole answer; nil for any other value.
  init?(in value: LuaValue, _ state: LuaState, of file: String) throws {
    guard let reference = value.referenceValue, reference.typeName == "table" else {
      try self.init(within: value, of: file)
      return
    }
    if case .refuse(let reason, let line)? = PolicyAnswer(plain: reference, in: state) {
      self.init(reason, place: line.map { "\(file):\($0)" })
    } else {
      try self.init(within: try state.value(of: reference), of: file)
    }
  }
}
