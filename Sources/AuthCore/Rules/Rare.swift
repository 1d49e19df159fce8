/// A large value that most of its owners lack.
///
/// It is stored apart, because a decision with its change is copied often: in place, the values that a link never has
/// would be three quarters of the copied bytes.
@propertyWrapper
struct Rare<Value> {
  fileprivate indirect enum Place {
    case empty
    case full(Value)
  }

  private var place = Place.empty

  init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// The value, or nil.
  var wrappedValue: Value? {
    get {
      guard case .full(let value) = place else { return nil }
      return value
    }
    set { place = newValue.map(Place.full) ?? .empty }
  }
}

extension Rare: Sendable where Value: Sendable {}
extension Rare.Place: Sendable where Value: Sendable {}

extension Rare: Equatable where Value: Equatable {
  static func == (one: Rare, other: Rare) -> Bool { one.wrappedValue == other.wrappedValue }
}

extension Rare: Hashable where Value: Hashable {
  func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
