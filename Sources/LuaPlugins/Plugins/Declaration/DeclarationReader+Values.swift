import AuthCore
import LuaRuntime

/// Reading the values that verify an address: `emailVerified = { "xms_edov", is = { true, "1" } }`.
extension DeclarationReader {
  private static let mostValues = 16
  /// The texts by which vendors say no.
  private static let denials = ["", "0", "false", "no", "null", "none"]

  /// The source with a list of values; nil if the field has no such list.
  func acceptedSource(_ field: PluginDeclaration.MappedField) throws -> MappedSource? {
    let name = field.rawValue
    guard let source = table[name].tableValue, !source.fields.isEmpty else { return nil }
    guard field == .emailVerified else {
      throw mistake(
        name, "\(place)\(name) has a field beside its paths",
        remedy: "Name paths only; is = { … } is for emailVerified.")
    }
    let inner = DeclarationReader(source, place: "\(place)\(name).", secrets: secrets)
    try inner.refuseUnknown(["is"])
    guard source.array.count == 1, let text = source.array[0].stringValue else {
      throw mistake(
        name, "\(place)\(name) has no path before is",
        remedy: "Write emailVerified = { \"verified\", is = { true, 1 } }.")
    }
    return MappedSource(paths: [try path(text, name)], accepted: try values(inner))
  }

  private func values(_ inner: DeclarationReader) throws -> [JSONValue] {
    let wrong = inner.mistake(
      "is", "\(inner.place)is must be a list of texts, whole numbers and true",
      remedy: "Write is = { true, 1, \"1\" }.")
    guard let list = inner.table["is"].tableValue, list.fields.isEmpty, !list.array.isEmpty,
      list.array.count <= Self.mostValues
    else { throw wrong }
    return try list.array.map { element in
      switch JSONValue(element) {
      case .bool(true)?: return true
      case .integer(let number)? where number != 0: return .integer(number)
      case .string(let text)? where !Self.denials.contains(text.lowercased()): return .string(text)
      case .bool?, .integer?, .string?:
        throw inner.mistake(
          "is", "\(inner.place)is lists \(JSONValue(element)?.text ?? "a value"), which denies it",
          remedy: "List only values by which the vendor confirms the address.")
      default: throw wrong
      }
    }
  }
}
