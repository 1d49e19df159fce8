import NIOConcurrencyHelpers

/// Idle scripts, each in its own Lua state; passed from one holder to the next, never shared.
final class ScriptPool<Script>: Sendable {
  private struct Idle: @unchecked Sendable {
    let script: Script
  }

  private let idle = NIOLockedValueBox<[Idle]>([])
  private let largest = 8

  init(first script: sending Script) {
    let first = Idle(script: script)
    idle.withLockedValue { $0.append(first) }
  }

  /// Takes a script; nil if none is idle.
  func take() -> Script? { idle.withLockedValue { $0.popLast() }?.script }

  /// Returns a script for the next holder; the caller must not use it any more.
  func giveBack(_ script: Script) {
    let returned = Idle(script: script)
    idle.withLockedValue { pool in
      if pool.count < largest { pool.append(returned) }
    }
  }
}
