import CLuaShim

/// Stops the running call of a state from another thread or a signal handler.
///
/// The interrupt waits for the next call when none is running. It is gone once it was reported
/// as an error, or after `reset`.
public struct LuaInterrupt: Sendable {
  /// Owns the flag, which lives as long as anybody may raise it.
  final class Flag: Sendable {
    // The pointer is constant and what it points to is atomic.
    nonisolated(unsafe) let pointer: OpaquePointer
    init() { pointer = ls_flag_new() }
    deinit { ls_flag_free(pointer) }
  }

  let flag = Flag()

  /// Stops the running call, or the next one.
  public func interrupt() { ls_flag_raise(flag.pointer) }

  /// Whether an interrupt waits to be reported; for host functions that take long.
  public var isRaised: Bool { ls_flag_raised(flag.pointer) != 0 }

  /// Takes an interrupt back that was not reported yet.
  public func reset() { ls_flag_clear(flag.pointer) }
}
