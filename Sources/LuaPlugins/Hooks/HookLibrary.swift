import AuthCore
import LuaRuntime

/// The functions of a hook file: `hooks`, and the words of its answers.
///
/// Each checks its arguments at once, so that an error has the right line.
struct HookLibrary {
  let state: LuaState
  let environment: LuaReference
  /// Receives the table that the file declares.
  let declare: (LuaReference, LuaCall) throws -> Void

  func install() throws(LuaError) {
    try add("hooks") { call in
      let table = try call.reference(1, "declaration")
      try declare(table, call)
      return [.reference(table)]
    }
    try add("allow") { call in
      let options = try Self.options(call, 1, ["fill"], of: "allow")
      return [["answer": "allow", "fill": try Self.fill(options["fill"], call)]]
    }
    try add("refuse") { call in
      let options = try Self.options(call, 2, ["code"], of: "refuse")
      guard options["code"].isNil || options["code"].stringValue != nil else {
        throw call.argumentError(2, "code must be a text of the app")
      }
      return [
        [
          "answer": "refuse", "reason": .string(try call.string(1, "reason")),
          "code": options["code"], "line": .optional(call.line.map(Int64.init)),
        ]
      ]
    }
    try add("require") { call in
      let name = try call.string(1, "requirement")
      let options = try Self.options(call, 2, ["seconds"], of: "require")
      guard Requirement(named: name) != nil else {
        throw call.argumentError(
          1,
          "there is no requirement \"\(name)\"; \(suggestion(for: name, among: Requirement.names))"
        )
      }
      let seconds = options["seconds"]
      guard seconds.isNil || (seconds.integerValue.map { $0 > 0 } == true && name == "recent login")
      else { throw call.argumentError(2, "seconds is a positive number, of a recent login alone") }
      return [["answer": "require", "requirement": .string(name), "seconds": seconds]]
    }
    try add("ask") { _ in [["answer": "ask"]] }
    try add("merge") { _ in [["answer": "merge"]] }
  }

  private func add(
    _ name: String, _ body: @escaping (LuaCall) throws -> [LuaValue]
  ) throws(LuaError) {
    try state.set(name, to: .function(state.function(named: name, body)), in: environment)
  }

  private static func options(
    _ call: LuaCall, _ index: Int, _ names: [String], of function: String
  ) throws -> LuaTable {
    let options = try call.optionalTable(index, "options") ?? LuaTable()
    try PolicyLibrary.refuseUnknown(
      Array(options.fields.keys), among: names, of: function, call)
    return options
  }

  /// Checks a list of the fields that a link may fill.
  private static func fill(_ value: LuaValue, _ call: LuaCall) throws -> LuaValue {
    if value.isNil { return .nil }
    let known = ChangeAnswer.FilledField.allCases.map(\.rawValue)
    guard let table = value.tableValue, table.fields.isEmpty else {
      throw call.argumentError(1, "fill must be a list of fields: \(known.joined(separator: ", "))")
    }
    for element in table.array {
      guard let name = element.stringValue, known.contains(name) else {
        let name = element.stringValue ?? element.typeName
        throw call.argumentError(
          1, "a link cannot fill \"\(name)\"; \(suggestion(for: name, among: known))")
      }
    }
    return value
  }
}

/// The declaration of a hook file.
struct HookDeclaration {
  /// The names of the functions that decide on sign-ins.
  static let signInNames: [(kind: SignInHookEvent.Kind, name: String)] = [
    (.beforeCreate, "before_create"), (.beforeSignIn, "before_sign_in"),
  ]
  /// The names of all functions.
  static let names = signInNames.map(\.name) + ChangeEvent.Kind.allCases.map(\.function)

  /// The kinds of changes that the file has functions for.
  let changes: Set<ChangeEvent.Kind>
  /// The names of the functions that the file has.
  let functions: Set<String>
  let examples: [LuaTable]

  init(_ call: LuaCall) throws {
    let table = try call.table(1, "declaration")
    try PolicyLibrary.refuseUnknown(
      Array(table.fields.keys), among: Self.names + ["examples"], of: "hooks", call)
    let given = Self.names.filter { !table[$0].isNil }
    if let name = given.sorted().first(where: { table[$0].functionValue == nil }) {
      throw call.argumentError(1, "\(name) must be a function of an event")
    }
    functions = Set(given)
    changes = Set(ChangeEvent.Kind.allCases.filter { given.contains($0.function) })
    let listed = table["examples"].tableValue
    examples = listed?.array.compactMap(\.tableValue) ?? []
    guard
      table["examples"].isNil
        || (listed?.fields.isEmpty == true && examples.count == listed?.array.count)
    else { throw call.argumentError(1, "examples must be a list of tables") }
  }
}
