/// A wrapper that keeps a value out of logs, errors and tables: printing it shows `•••`.
///
/// Only ``reveal()`` returns the value, so a text search finds every use.
public struct Secret<Value: Sendable>: Sendable, CustomStringConvertible, CustomReflectable {
  private let value: Value

  /// Wraps a value.
  public init(_ value: Value) {
    self.value = value
  }

  /// Returns the value itself.
  public func reveal() -> Value { value }

  /// The placeholder `•••`.
  public var description: String { SecretPlaceholder.text }

  /// An empty mirror, so that dumping a secret does not show it.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}
