import CEditLine

/// A flag that Ctrl-C raises and a running script checks.
///
/// Raising and reading are single atomic steps, safe in a signal handler and in a script's hook.
package final class InterruptFlag: Sendable {
  // Safe to share: every access through the C functions is atomic, and the pointer never changes.
  nonisolated(unsafe) fileprivate let pointer: OpaquePointer

  /// Makes a flag that is not raised.
  package init() {
    guard let pointer = ceditline_flag_create() else {
      preconditionFailure("There is no memory left for a flag of one byte.")
    }
    self.pointer = pointer
  }

  deinit {
    ceditline_flag_destroy(pointer)
  }

  /// True if an interrupt was requested since the flag was last lowered.
  package var isRaised: Bool { ceditline_flag_is_raised(pointer) }

  /// Lowers the flag, before the next script starts.
  package func lower() {
    ceditline_flag_lower(pointer)
  }

  /// Raises the flag as Ctrl-C would.
  package func raise() {
    ceditline_flag_raise(UnsafeMutableRawPointer(pointer))
  }
}

/// Routes Ctrl-C to a handler instead of ending the process.
///
/// Routes nest, and the newest one gets the signal. Without a route, SIGINT has its previous effect. A handler
/// runs inside a signal handler on any thread, so it may only call async-signal-safe functions. When a
/// route has ended, its handler has returned and is not called again.
package enum InterruptSource {
  /// A C function that is called on Ctrl-C with the context of its registration.
  package typealias Handler = @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// Runs a body while Ctrl-C calls `handler`.
  package static func routing<R>(
    to handler: Handler, context: UnsafeMutableRawPointer?, during body: () throws -> R
  ) rethrows -> R {
    let route = ceditline_route_begin(handler, context)
    defer { ceditline_route_end(route) }
    return try body()
  }

  /// Runs an asynchronous body while Ctrl-C calls `handler`.
  package static func routing<R>(
    to handler: Handler, context: UnsafeMutableRawPointer?, during body: () async throws -> R
  ) async rethrows -> R {
    let route = ceditline_route_begin(handler, context)
    defer { ceditline_route_end(route) }
    return try await body()
  }

  /// Runs a body while Ctrl-C raises `flag`.
  package static func routing<R>(
    to flag: InterruptFlag, during body: () throws -> R
  ) rethrows -> R {
    try withExtendedLifetime(flag) {
      try routing(to: raiseFlag, context: UnsafeMutableRawPointer(flag.pointer), during: body)
    }
  }

  /// Runs an asynchronous body while Ctrl-C raises `flag`.
  package static func routing<R>(
    to flag: InterruptFlag, during body: () async throws -> R
  ) async rethrows -> R {
    defer { withExtendedLifetime(flag) {} }
    return try await routing(
      to: raiseFlag, context: UnsafeMutableRawPointer(flag.pointer), during: body)
  }

  private static let raiseFlag: Handler = { ceditline_flag_raise($0) }
}
