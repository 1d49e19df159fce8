/// How many entries the lists and objects of a JSON text may have, by their place.
///
/// A place without a bound of its own has ``usual``, at every depth, so that no list is without one.
package final class JSONBounds: Sendable {
  /// How many entries a list or an object may have here.
  package let entries: Int
  private let inner: [String: JSONBounds]

  /// The bound of what names none.
  package static let usual = JSONBounds(100)

  /// Makes bounds of a list or an object.
  ///
  /// - Parameters:
  ///   - entries: how many it may have.
  ///   - inner: the bounds of what its members hold, by their names in camelCase; `*` stands for every entry.
  package init(_ entries: Int, _ inner: [String: JSONBounds] = [:]) {
    self.entries = entries
    self.inner = inner
  }

  /// The bounds of an entry; a name in snake_case is one in camelCase.
  package func inside(_ name: String) -> JSONBounds {
    guard !inner.isEmpty else { return .usual }
    return inner[name] ?? inner[name.camelCased] ?? inner["*"] ?? .usual
  }
}
