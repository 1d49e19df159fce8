import NIOConcurrencyHelpers

/// Keeps a value of a state alive for the host.
///
/// It may be dropped on any thread, before or after its state: the state lets go of the value
/// when it is used next.
public final class LuaReference: Sendable, Equatable {
  /// Names the type as Lua's `type` does.
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

/// Keeps a function of a state.
public struct LuaFunction: Sendable, Equatable {
  /// Keeps the function alive.
  public let reference: LuaReference
}

/// Collects references nobody needs any more until their state has time for them.
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
