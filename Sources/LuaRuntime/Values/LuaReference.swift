import NIOConcurrencyHelpers

/// A reference that keeps a value of a state alive.
///
/// It may be dropped on any thread, before or after its state. The state releases the value at its next use.
public final class LuaReference: Sendable, Equatable {
  /// The type as Lua's `type` names it.
  public let typeName: String
  let index: Int32
  let released: ReleasedReferences

  init(index: Int32, typeName: String, released: ReleasedReferences) {
    self.index = index
    self.typeName = typeName
    self.released = released
  }

  deinit { released.drop(index) }

  /// Compares by identity: two references to one table differ.
  public static func == (a: LuaReference, b: LuaReference) -> Bool { a === b }
}

/// A reference to a function of a state.
public struct LuaFunction: Sendable, Equatable {
  /// The reference that keeps the function alive.
  public let reference: LuaReference
}

/// The references that the host has dropped and the state has not yet released.
final class ReleasedReferences: Sendable {
  private let dropped = NIOLockedValueBox<[Int32]>([])

  func drop(_ index: Int32) { dropped.withLockedValue { $0.append(index) } }

  func empty() -> [Int32] {
    dropped.withLockedValue { indices in
      guard !indices.isEmpty else { return [] }
      defer { indices = [] }
      return indices
    }
  }
}
