import AuthCore
import LuaRuntime

/// The value of `field.TYPE`: a credential's field without its name.
struct FieldDraft: Sendable {
  let type: CredentialField.FieldType
  let isSecret: Bool
  let isOptional: Bool
  let summary: String

  func field(named name: String) -> CredentialField {
    CredentialField(name, type: type, secret: isSecret, required: !isOptional, summary)
  }
}

/// The value of `setting.TYPE`: a setting without its name.
struct SettingDraft: Sendable {
  let type: PluginSetting.SettingType
  let isRequired: Bool
  let fallback: JSONValue?
  let namesSubjects: Bool
  let summary: String

  func setting(named name: String) -> PluginSetting {
    PluginSetting(
      name: name, type: type, isRequired: isRequired, fallback: fallback, summary: summary,
      namesSubjects: namesSubjects)
  }
}

/// The functions of a declaration: `provider`, `field` and `setting`.
///
/// They only store their arguments, which are read after the file has ended.
enum DeclarationLibrary {
  static func install(in state: LuaState) throws(LuaError) {
    var field = LuaLibrary(name: "field")
    for (name, type, isSecret) in fieldTypes {
      field.function(name) { call in
        let draft = try options(call, ["optional"])
        let value = FieldDraft(
          type: type, isSecret: isSecret, isOptional: draft.table["optional"].boolValue ?? false,
          summary: draft.summary)
        return [.object(LuaObject(type: "field", value: value))]
      }
    }
    var setting = LuaLibrary(name: "setting")
    for type in PluginSetting.SettingType.allCases {
      setting.function(type.rawValue) { call in
        let draft = try options(call, ["required", "default", "namesSubjects"])
        let fallback = JSONValue(draft.table["default"]).flatMap { $0 == .null ? nil : $0 }
        let value = SettingDraft(
          type: type, isRequired: draft.table["required"].boolValue ?? false, fallback: fallback,
          namesSubjects: draft.table["namesSubjects"].boolValue ?? false, summary: draft.summary)
        return [.object(LuaObject(type: "setting", value: value))]
      }
    }
    for name in ["field", "setting"] {
      var type = LuaObjectType(name: name)
      type.describe = { _ in name }
      state.define(type)
    }
    try state.set("field", to: state.library(field))
    try state.set("setting", to: state.library(setting))
    let provider = state.function(named: "provider") { call in
      guard call.typeName(1) == "table" else {
        throw call.argumentError(1, "a table expected, as in provider { id = … }")
      }
      return [.reference(try call.reference(1))]
    }
    try state.set("provider", to: .function(provider))
  }

  private static let fieldTypes: [(String, CredentialField.FieldType, Bool)] = [
    ("text", .string, false), ("secret", .string, true), ("url", .url, false),
    ("email", .email, false), ("phoneNumber", .phoneNumber, false),
  ]

  /// Reads a summary, or a table of a summary and options.
  private static func options(
    _ call: LuaCall, _ names: [String]
  ) throws -> (summary: String, table: LuaTable) {
    if call.typeName(1) == "string" { return (try call.string(1, "summary"), LuaTable()) }
    let table = try call.table(1, "summary")
    if let unknown = table.fields.keys.sorted().first(where: { !names.contains($0) }) {
      throw call.argumentError(
        1, "there is no \"\(unknown)\" here; \(hint(for: unknown, among: names))")
    }
    guard table.array.count == 1, let summary = table.array[0].stringValue, !summary.isEmpty else {
      throw call.argumentError(1, "the first element says what it is for")
    }
    return (summary, table)
  }
}
