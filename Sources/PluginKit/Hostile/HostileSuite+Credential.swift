import AuthCore

extension HostileSuite {
  /// Somebody touched the credential.
  ///
  /// Where the vendor is asked, it is the vendor that refuses what it did not give out: whatever the recorded
  /// exchanges do not list is answered with 400. Where nobody is asked, the plug-in has to see it itself.
  static func credential(_ scene: Scene) -> [HostileCase] {
    let fields = scene.rehearsal.credential.sorted { $0.key < $1.key }
    return fields.flatMap { name, value in
      let changes: [(String, String?)] = [
        ("has no \(name)", nil), ("has an empty \(name)", ""),
        ("has more behind its \(name)", value + "1"),
        ("has 20000 letters as its \(name)", String(repeating: "a", count: 20_000)),
        ("has control characters in its \(name)", "\u{1}\n\(value)"),
      ]
      return changes.map { what, changed in
        var rehearsal = scene.rehearsal
        rehearsal.credential[name] = changed
        rehearsal.refusesUnknown = true
        return HostileCase(.credential, "the credential \(what)", rehearsal) { outcome in
          scene.log.asked.isEmpty ? scene.nobody(outcome) : scene.onlyTheSamePerson(outcome)
        }
      }
    }
  }

  /// The same credential comes twice.
  ///
  /// An ID token, and whatever was believed without asking anybody, has to be used up with the first
  /// sign-in: it names what it uses, each time the same.
  static func replay(_ scene: Scene) -> [HostileCase] {
    let name = "the same credential comes twice"
    return [
      HostileCase(.replay, name) { stage in
        let outcome = try await stage.run(scene.rehearsal)
        guard let again = outcome.identity, again.key == scene.identity.key else {
          return "\(name): it ended with \(outcome.text); it should have stayed \(scene.subject)."
        }
        let uses = scene.identity.uses.map(\.name)
        let mustUse = scene.verifiesToken || scene.log.asked.isEmpty
        guard !mustUse || !uses.isEmpty else {
          return "\(name): nothing of it is used up, so whoever sees it can sign in with it again; "
            + "name what may come once with once(…)."
        }
        guard uses == again.uses.map(\.name) else {
          return "\(name): it uses up \(again.uses.map(\.name)) instead of \(uses)."
        }
        return nil
      }
    ]
  }
}
