import AuthCore

extension HostileSuite {
  /// The same credential is used again: at once, and after its use was forgotten.
  ///
  /// An ID token, and any credential that was accepted without asking the vendor, has to be used up by the first
  /// sign-in: it names its one-time uses, the same ones each time. These are forgotten after some time, and the
  /// credential has to be expired by then.
  static func replay(_ scene: Scene) -> [HostileCase] {
    [HostileCase(.replay, twice, play: { try await failure(of: scene, on: $0) })] + later(scene)
  }

  private static let twice = "the same credential comes twice"

  private static func failure(of scene: Scene, on runner: ScenarioRunner) async throws -> String? {
    let outcome = try await runner.run(scene.rehearsal)
    guard let again = outcome.identity, again.key == scene.identity.key else {
      return "\(twice): it ended with \(outcome.text); it should have stayed \(scene.subject)."
    }
    let uses = scene.identity.uses.map(\.name)
    guard !scene.provesItself || !uses.isEmpty else {
      return "\(twice): it uses up nothing, so anyone who sees it can sign in with it again; "
        + "declare its one-time value with once(…)."
    }
    guard uses == again.uses.map(\.name) else {
      return "\(twice): it uses up \(again.uses.map(\.name)) instead of \(uses)."
    }
    return nil
  }

  private static let day: Int64 = 86_400

  private static func later(_ scene: Scene) -> [HostileCase] {
    guard scene.provesItself, let end = scene.identity.uses.map(\.expiresAt).min() else {
      return []
    }
    let window = (end.milliseconds - scene.runner.time.milliseconds) / 1000
    var delays = [
      (window + 1, "the same credential comes again after its use was forgotten")
    ]
    if day > window + 1 { delays.append((day, "the same credential comes again a day later")) }
    return delays.map { delay, name in
      var rehearsal = scene.rehearsal
      rehearsal.delay = delay
      return HostileCase(.replay, name, rehearsal) { outcome in
        guard outcome.identity != nil else { return nil }
        return "it should have been refused as too old: its use is remembered for \(window) "
          + "seconds; compare its time with time.now(), and give once(…) the same period"
      }
    }
  }
}

extension Scene {
  /// True if the credential alone is the proof, and no vendor was asked that could refuse it the next time.
  fileprivate var provesItself: Bool { verifiesToken || log.asked.isEmpty }
}
