import AuthCore
import LuaRuntime

/// The fields of a plan: rules by name, and functions that are called after the answer.
struct PlanFields {
  private(set) var rules: [MergeField: FieldRule] = [:]
  private(set) var functions: [MergeField: LuaFunction] = [:]
  /// The rules of `customClaims` by claim.
  private(set) var claims: ClaimRules?
  /// A refusal in the place of a rule.
  private(set) var refusal: MergeRefusal?

  /// Reads the fields from the arguments of a file's `merge`, without copying them.
  init(_ call: LuaCall, of file: String) throws {
    rules.reserveCapacity(4)
    try call.eachField(of: 1, in: "fields") { name, value in
      let value = try value()
      if let found = try MergeRefusal(in: value, call.state, of: file) {
        refusal = refusal ?? found
        return
      }
      guard let name else { throw call.argumentError(1, "fields must be a table of names") }
      let table = value.referenceValue.flatMap { $0.typeName == "table" ? $0 : nil }
      try add(name, table.map { try call.state.value(of: $0) } ?? value)
    }
  }

  /// Reads the fields of an answer that a script has changed.
  init(_ table: LuaTable) throws {
    for (name, value) in table.fields { try add(name, value) }
  }

  private mutating func add(_ name: String, _ value: LuaValue) throws {
    let field = try MergeField(named: name)
    if let rule = value.stringValue {
      rules[field] = try FieldRule(name: rule, field: field)
    } else if let function = value.functionValue {
      functions[field] = function
    } else if field == .customClaims, let table = value.tableValue {
      claims = try ClaimRules(table)
    } else {
      throw AuthError(
        .invalidArgument,
        "fields.\(name) is \(value.typeName), not the name of a rule or a function.", field: name,
        remedy: """
          Use keep, theirs, newest, oldest, last-set, union, union-or-refuse or rules by claim for customClaims, \
          verified for email, either or both for emailVerified, or a function of both values.
          """)
    }
  }

  /// True if the fields are names of rules alone.
  var isPlain: Bool { functions.isEmpty && claims == nil }

  func write(to table: LuaTableWriter) {
    if let claims { table.set(MergeField.customClaims.rawValue, value: .table(claims.table)) }
    for (field, rule) in rules { table.set(field.rawValue, rule.name) }
    for (field, function) in functions { table.set(field.rawValue, value: .function(function)) }
  }
}
