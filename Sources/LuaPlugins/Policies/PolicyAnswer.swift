import AuthCore
import LuaRuntime

/// A policy's answer, as `merge`, `refuse`, `require` and `review` make it.
enum PolicyAnswer {
  case merge(PolicyMerge)
  case refuse(String, code: String?, place: PolicyPlace?)
  case require(Requirement)
  case review(String)

  /// The name of the answer in Lua.
  var name: String {
    switch self {
    case .merge: "merge"
    case .refuse: "refuse"
    case .require: "require"
    case .review: "review"
    }
  }
}

/// The merge of an answer, as a file writes it.
struct PolicyMerge {
  var into: String
  var from: String
  var fields: PlanFields
  var dropIdentities: LuaTable?
  var identities = IdentityRules()

  /// True if a rule has to see the accounts before the answer is known.
  var looksAtAccounts: Bool {
    !fields.isPlain || dropIdentities != nil || !identities.isEmpty
      || fields.rules[.customClaims] == .unionOrRefuse
  }
}

extension PolicyAnswer {
  /// The answer in Lua: a record if it has only names, otherwise a table.
  ///
  /// A script can change a table, and a table may refer to functions.
  var outcome: LuaOutcome {
    isPlain ? .record(self) : .table(fields: 6, writeAll)
  }

  private var isPlain: Bool {
    guard case .merge(let merge) = self else { return true }
    return merge.dropIdentities == nil && merge.identities.isEmpty
      && merge.into.utf8.count <= 128 && merge.from.utf8.count <= 128 && merge.fields.isPlain
  }
}

extension PolicyAnswer: LuaRecord {
  static let luaFields = LuaFieldNames([
    "answer", "reason", "into", "from", "fields", "dropIdentities", "line", "code", "file",
    "requirement", "seconds", "identities",
  ])

  var luaBytes: Int { 1000 }

  func write(_ place: Int, to table: LuaTableWriter) {
    if place == 0 { table.set("answer", name) }
    switch self {
    case .refuse(let reason, let code, let at):
      switch place {
      case 1: table.set("reason", reason)
      case 6: table.set("line", at.map { Int64($0.line) })
      case 7: table.set("code", code)
      case 8: table.set("file", at?.file)
      default: break
      }
    case .require(let requirement):
      switch place {
      case 9: table.set("requirement", requirement.name)
      case 10: if case .recentLogin(let seconds) = requirement { table.set("seconds", seconds) }
      default: break
      }
    case .review(let reason):
      if place == 1 { table.set("reason", reason) }
    case .merge(let merge):
      switch place {
      case 2: table.set("into", merge.into)
      case 3: table.set("from", merge.from)
      case 4: table.set("fields", fields: 4) { merge.fields.write(to: $0) }
      case 5:
        if let dropped = merge.dropIdentities {
          table.set("dropIdentities", value: .table(dropped))
        }
      case 11: if !merge.identities.isEmpty { table.set("identities", value: merge.identities.lua) }
      default: break
      }
    }
  }

  /// Reads an answer without copying: names that no script has changed, or an answer that waits or refuses; nil for
  /// any other answer.
  init?(plain table: LuaReference, in state: LuaState) {
    if let answer = state.untouchedRecord(of: table) as? PolicyAnswer {
      self = answer
      return
    }
    func text(_ name: String) -> String? { state.field(name, of: table).stringValue }
    func number(_ name: String) -> Int64? { state.field(name, of: table).integerValue }
    switch text("answer") {
    case "refuse":
      self = .refuse(
        text("reason") ?? "no reason given", code: text("code"),
        place: PolicyPlace(file: text("file"), line: number("line")))
    case "review": self = .review(text("reason") ?? "no reason given")
    case "require":
      guard
        let requirement = Requirement(named: text("requirement") ?? "", seconds: number("seconds"))
      else { return nil }
      self = .require(requirement)
    default: return nil
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
      PolicyMerge(
        into: copy["into"].stringValue ?? "", from: copy["from"].stringValue ?? "",
        fields: try PlanFields(copy["fields"].tableValue ?? LuaTable()),
        dropIdentities: copy["dropIdentities"].tableValue,
        identities: try IdentityRules(copy["identities"].tableValue ?? LuaTable())))
  }

  static func refuse(_ refusal: MergeRefusal) -> PolicyAnswer {
    let parts = refusal.place?.split(separator: ":") ?? []
    let line = parts.last.flatMap { Int64($0) }
    return .refuse(
      refusal.reason, code: refusal.code,
      place: PolicyPlace(file: parts.dropLast().joined(separator: ":"), line: line))
  }
}

extension MergeRefusal {
  /// Finds the refusal that a Lua value is or contains, which becomes the whole answer; nil for any other value.
  init?(in value: LuaValue, _ state: LuaState, of file: String) throws {
    guard let reference = value.referenceValue, reference.typeName == "table" else {
      try self.init(within: value, of: file)
      return
    }
    if case .refuse(let reason, let code, let place)? = PolicyAnswer(plain: reference, in: state) {
      self.init(reason, code: code, place: place?.text(of: file))
    } else {
      try self.init(within: try state.value(of: reference), of: file)
    }
  }
}
