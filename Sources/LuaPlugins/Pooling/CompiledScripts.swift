import AuthCore
import NIOConcurrencyHelpers

/// Compiled scripts by their source, so that each source is compiled once.
///
/// If there are too many, all are forgotten: those in use are soon compiled again.
final class CompiledScripts<Script: Sendable>: Sendable {
  private let compiled = NIOLockedValueBox<[PolicySource: Script]>([:])
  private let largest: Int

  init(atMost largest: Int) {
    self.largest = largest
  }

  /// The compiled script of a source; nil if it is not compiled yet.
  func known(_ source: PolicySource) -> Script? { compiled.withLockedValue { $0[source] } }

  /// The script of a source, compiled by the closure if necessary; throws the closure's error.
  func script(
    of source: PolicySource, compile: () throws(AuthError) -> Script
  ) throws(AuthError) -> Script {
    if let script = known(source) { return script }
    let script = try compile()
    compiled.withLockedValue { cache in
      if cache.count >= largest { cache = [:] }
      cache[source] = script
    }
    return script
  }
}
