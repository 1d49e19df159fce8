import AuthCore
import Synchronization
import TestSupport

/// A script of hooks that answers as a test says, and records its events.
final class ScriptedChangeHook: ChangeHook, ChangeHookCompiler {
  typealias Script = @Sendable (ChangeEvent) throws -> ChangeAnswer

  private struct State {
    var script: Script = { _ in .allow(fill: nil) }
    var kinds = Set(ChangeEvent.Kind.allCases)
    var isSlow = false
    var events: [ChangeEvent] = []
  }

  let version = "hooks.lua 0123456789ab"
  private let state = Mutex(State())

  var kinds: Set<ChangeEvent.Kind> { state.withLock(\.kinds) }
  var events: [ChangeEvent] { state.withLock(\.events) }

  /// Answers events of a kind, and allows all others.
  func answer(_ kind: ChangeEvent.Kind, _ script: @escaping Script) {
    state.withLock { state in
      state.script = { try $0.kind == kind ? script($0) : .allow(fill: nil) }
      state.events = []
    }
  }

  /// Answers nothing at once from now on.
  func beSlow() { state.withLock { $0.isSlow = true } }

  func known(_ source: PolicySource) -> (any ChangeHook)? { self }
  func hook(_ source: PolicySource) throws(AuthError) -> any ChangeHook { self }

  func answerAtOnce(_ event: ChangeEvent) throws -> ChangeAnswer? {
    state.withLock(\.isSlow) ? nil : try answer(event)
  }

  func answer(_ event: ChangeEvent) throws -> ChangeAnswer {
    let script = state.withLock { state in
      state.events.append(event)
      return state.script
    }
    return try script(event)
  }
}

extension TestHome {
  /// Makes a home whose scope has a script of hooks.
  static func asking(
    _ hook: ScriptedChangeHook, policies: [any MergePolicy] = []
  ) async throws -> TestHome {
    let home = TestHome(policies: policies, changeHooks: hook)
    _ = try await home.graph.changeSettings(by: home.admin) {
      $0.signIn.blockingFunctions.script = PolicySource(name: "hooks.lua", text: "return hooks {}")
    }
    return home
  }
}
