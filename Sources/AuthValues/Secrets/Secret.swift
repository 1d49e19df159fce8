/// Keeps a value out of logs, errors and tables: printing it shows `•••`.
///
/// Reading it is a call that can be searched for.
public struct Secret<Value: Sendable>: Sendable, CustomStringConvertible, CustomReflectable {
  private let value: Value

  public init(_ value: Value) {
    self.value = value
  }

  /// Gives the value itself.
  public func reveal() -> Value { value }

  public var description: String { SecretPlaceholder.text }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Secret: Equatable where Value: Equatable {}
extension Secret: Hashable where Value: Hashable {}
