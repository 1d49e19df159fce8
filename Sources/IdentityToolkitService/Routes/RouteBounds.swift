import AuthCore
import IdentityToolkit

/// The maximum sizes of a request's parts, checked before anything loops over them.
///
/// The bounds of a body's lists and objects are in the fields of its route.
enum RouteBounds {
  /// Parameters that an app adds for a vendor.
  static let customParameters = 20
  /// Scopes that an app requests from a vendor.
  static let scopes = 50
  /// Second factors of one account; more than allowed, so that the excess is refused with its own code.
  static let secondFactors = 10
  /// Identities of one account; more than allowed, so that the excess is an error of its record alone.
  static let identities = 1_000
  /// Ways into an account that one request ends.
  static let waysIn = 100
  /// Accounts that one request looks up; the number that Firebase's Admin SDKs send.
  static let lookups = 100
  /// Domains that links may lead to.
  static let domains = 500
  /// Fields of a form, and parameters of a query or of a vendor's answer.
  static let formFields = 100
  /// Paths of an update mask.
  static let maskPaths = 100
  /// Names in one path of an update mask.
  static let maskDepth = 10

  /// Returns the words of a text, separated by spaces or commas; throws if there are too many.
  static func words(
    _ text: String, of field: String, most: Int
  ) throws(WireError) -> [String] {
    let words = text.split(maxSplits: most) { $0 == " " || $0 == "," }
    guard words.count <= most else { throw .excess("/\(field)", bound: most) }
    return words.map(String.init)
  }

  /// Returns the JSON in a text, or nil if the text is not JSON; throws if a part of it has too many entries.
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
