/// The maximum number of entries in the lists and objects of a JSON text, by their place.
///
/// A place without a bound of its own has ``usual``, at every depth, so that every list is bounded.
package final class JSONBounds: Sendable {
  /// The maximum number of entries at this place.
  package let entries: Int
  private let inner: [String: JSONBounds]

  /// The bound of every place that has none of its own.
  package static let usual = JSONBounds(100)

  /// Makes the bounds of a list or an object.
  ///
  /// - Parameters:
  ///   - entries: the maximum number of entries.
  ///   - inner: the bounds of its members by their names in camelCase; `*` stands for every entry.
  package init(_ entries: Int, _ inner: [String: JSONBounds] = [:]) {
    self.entries = entries
    self.inner = inner
  }

  /// Returns the bounds of an entry; a name in snake_case counts as one in camelCase.
  package func inside(_ name: String) -> JSONBounds {
    guard !inner.isEmpty else { return .usual }
    return inner[name] ?? inner[name.camelCased] ?? inner["*"] ?? .usual
  }
}
