import AuthCore
import IdentityToolkit

/// Reads the forms and queries of requests, up to a maximum number of fields.
enum FormText {
  /// Returns the fields by name, the last of each name; throws if there are too many.
  ///
  /// `place` names the text in the error.
  static func parse(_ text: String, of place: String) throws(WireError) -> [String: String] {
    Dictionary(
      try pairs(text, of: place).map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
  }

  /// Returns the fields in order; throws like ``parse(_:of:)``.
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
