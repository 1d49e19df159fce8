import NIOConcurrencyHelpers

/// Scripts that nobody holds, each in a Lua state of its own; handed from one holder to the next, never shared.
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

  /// Takes a script, or nil where all are held.
  func take() -> Script? { idle.withLockedValue { $0.popLast() }?.script }

  /// Gives a script back for the next holder; the one who had it forgets it.
  func giveBack(_ script: Script) {
    let returned = Idle(script: script)
    idle.withLockedValue { pool in
      if pool.count < largest { pool.append(returned) }
    }
  }
}
