import AuthCore
import IdentityToolkit

/// The bounds of the parts of a request, checked before anything loops over them.
///
/// Those of a body's lists and objects stand in the fields of its route.
enum RouteBounds {
  /// Parameters that an app adds for a vendor.
  static let customParameters = 20
  /// Scopes that an app asks a vendor for.
  static let scopes = 50
  /// Second factors of one account; a few more than there may be, so that those are refused by their own code.
  static let secondFactors = 10
  /// Identities of one account; more than there may be, so that too many are refused for their record alone.
  static let identities = 1_000
  /// Whom one request looks up; what Firebase's Admin SDKs send.
  static let lookups = 100
  /// Domains that links may lead to.
  static let domains = 500
  /// Fields of a form, parameters of a query and of what a vendor gave an app.
  static let formFields = 100
  /// Paths of an update mask.
  static let maskPaths = 100
  /// Names in one path of an update mask.
  static let maskDepth = 10

  /// The words of a text, with spaces or commas between; throws if there are too many.
  static func words(
    _ text: String, of field: String, most: Int
  ) throws(WireError) -> [String] {
    let words = text.split(maxSplits: most) { $0 == " " || $0 == "," }
    guard words.count <= most else { throw .excess("/\(field)", bound: most) }
    return words.map(String.init)
  }

  /// The JSON that a text holds, or nil if it is none; throws if something in it has too many entries.
  static func json(
    _ text: String, of field: String, most: Int
  ) throws(WireError) -> JSONValue? {
    do throws(JSONReader.Failure) {
      return try JSONValue(strict: Array(text.utf8), bounds: JSONBounds(most))
    } catch {
      guard let excess = error.excess else { return nil }
      throw .excess("/\(field)\(excess.path)", bound: excess.bound)
    }
  }
}
