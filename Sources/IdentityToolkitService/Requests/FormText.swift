import AuthCore
import IdentityToolkit

/// Forms and queries of requests, with as many fields as are taken of anybody.
enum FormText {
  /// The fields by their names, of two with one name the last; throws if there are too many of what the place names.
  static func parse(_ text: String, of place: String) throws(WireError) -> [String: String] {
    Dictionary(
      try pairs(text, of: place).map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
  }

  /// The fields in their order; throws like ``parse(_:of:)``.
  static func pairs(
    _ text: String, of place: String
  ) throws(WireError) -> [(name: String, value: String)] {
    guard let fields = URLText.fields(of: text, atMost: RouteBounds.formFields) else {
      throw WireError(
        "INVALID_ARGUMENT", "\(place) must have at most \(RouteBounds.formFields) fields.")
    }
    return fields
  }
}
