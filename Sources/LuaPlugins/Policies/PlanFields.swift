import AuthCore
import LuaRuntime

/// The fields of a plan: rules by name, and functions that are called after the answer.
struct PlanFields {
  private(set) var rules: [MergeField: FieldRule] = [:]
  private(set) var functions: [MergeField: LuaFunction] = [:]
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
      try add(name, value)
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
    } else {
      throw AuthError(
        .invalidArgument,
        "fields.\(name) is \(value.typeName), not the name of a rule or a function.", field: name,
        remedy: """
          Use keep, theirs, newest, oldest, union for customClaims, verified for email, or a function of both \
          values.
          """)
    }
  }

  func write(to table: LuaTableWriter) {
    for (field, rule) in rules { table.set(field.rawValue, rule.name) }
    for (field, function) in functions { table.set(field.rawValue, value: .function(function)) }
  }
}
