import CLuaShim

/// Stops the running call of a state from another thread or a signal handler.
///
/// If no call is running, the interrupt stops the next one. An interrupt ends when it is reported as an
/// error, or by `reset`.
public struct LuaInterrupt: Sendable {
  /// The owner of the flag, which lives as long as any holder may raise it.
  final class Flag: Sendable {
    // The pointer is constant and its target is atomic.
    nonisolated(unsafe) let pointer: OpaquePointer
    init() { pointer = ls_flag_new() }
    deinit { ls_flag_free(pointer) }
  }

  let flag = Flag()

  /// Stops the running call, or the next one.
  public func interrupt() { ls_flag_raise(flag.pointer) }

  /// True while an interrupt waits to be reported; long host functions can check it.
  public var isRaised: Bool { ls_flag_raised(flag.pointer) != 0 }

  /// Withdraws an interrupt that was not reported yet.
  public func reset() { ls_flag_clear(flag.pointer) }
}
