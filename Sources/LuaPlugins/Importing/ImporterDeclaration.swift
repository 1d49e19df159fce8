import AuthCore
import LuaRuntime

/// The declaration of an importer.
public struct ImporterDeclaration: Sendable {
  /// A file that an importer reads.
  public struct File: Sendable, Hashable {
    /// The forms that it may have, `ndjson`, `json` or `csv`; the first counts if the file's name decides nothing.
    public let forms: [String]
    /// The name of the list in a JSON object.
    public let list: String?
  }

  /// An option of an importer.
  public struct Option: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value if none is given.
    public let fallback: String?
    /// The description.
    public let about: String
  }

  /// The name on the command line.
  public let id: String
  /// The name that people see.
  public let name: String
  /// The file of the users.
  public let users: File
  /// The files beside it, by name.
  public let beside: [String: File]
  /// The options.
  public let options: [Option]
  /// The counterparts of the old system's providers, by their names there.
  public let providers: [String: String]

  static let names = [
    "id", "name", "reads", "list", "beside", "key", "options", "providers", "user",
  ]
  static let forms = ["ndjson", "json", "csv"]

  init(_ call: LuaCall) throws {
    let table = try call.table(1, "declaration")
    try PolicyLibrary.refuseUnknown(
      Array(table.fields.keys), among: Self.names, of: "importer", call)
    func text(_ name: String) throws -> String {
      guard let text = table[name].stringValue, !text.isEmpty else {
        throw call.argumentError(1, "\(name) must be a text")
      }
      return text
    }
    id = try text("id")
    name = try text("name")
    users = try Self.file(table, "the importer", call)
    guard table["user"].functionValue != nil else {
      throw call.argumentError(1, "user must be a function of a row")
    }
    var beside: [String: File] = [:]
    for (name, value) in try Self.fields(table, "beside", call) {
      guard let inner = value.tableValue else {
        throw call.argumentError(1, "beside.\(name) must be a table")
      }
      try PolicyLibrary.refuseUnknown(
        Array(inner.fields.keys), among: ["reads", "list", "key"], of: "beside.\(name)", call)
      guard inner["key"].functionValue != nil, table["key"].functionValue != nil else {
        throw call.argumentError(
          1, "beside.\(name) and the importer must each have a function key of a row")
      }
      beside[name] = try Self.file(inner, "beside.\(name)", call)
    }
    self.beside = beside
    options = try Self.fields(table, "options", call).map { name, value in
      guard let inner = value.tableValue, let about = inner[1].stringValue,
        inner.fields.keys.allSatisfy({ $0 == "default" })
      else {
        throw call.argumentError(1, "options.\(name) must be { \"what it is\", default = … }")
      }
      return Option(name: name, fallback: inner["default"].stringValue, about: about)
    }
    providers = try Dictionary(
      uniqueKeysWithValues: Self.fields(table, "providers", call).map { name, value in
        guard let id = value.stringValue, !id.isEmpty else {
          throw call.argumentError(1, "providers[\"\(name)\"] must be the ID of a provider")
        }
        return (name, id)
      })
  }

  private static func fields(
    _ table: LuaTable, _ name: String, _ call: LuaCall
  ) throws -> [(key: String, value: LuaValue)] {
    if table[name].isNil { return [] }
    guard let inner = table[name].tableValue, inner.array.isEmpty else {
      throw call.argumentError(1, "\(name) must be a table of names")
    }
    return inner.fields.sorted { $0.key < $1.key }
  }

  private static func file(_ table: LuaTable, _ owner: String, _ call: LuaCall) throws -> File {
    let reads = table["reads"]
    let given = reads.stringValue.map { [$0] } ?? reads.tableValue?.array.compactMap(\.stringValue)
    guard let given, !given.isEmpty, given.allSatisfy(forms.contains) else {
      throw call.argumentError(
        1,
        "reads of \(owner) must be \(forms.map { "\"\($0)\"" }.joined(separator: ", ")) "
          + "or a list of them")
    }
    guard table["list"].isNil || table["list"].stringValue != nil else {
      throw call.argumentError(1, "list of \(owner) must be a text")
    }
    return File(forms: given, list: table["list"].stringValue)
  }
}
