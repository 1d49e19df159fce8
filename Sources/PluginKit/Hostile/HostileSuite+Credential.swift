import AuthCore

extension HostileSuite {
  /// The credential was changed.
  ///
  /// If the vendor is asked, the vendor refuses a changed credential: requests without a recorded exchange are
  /// answered with 400. If it is not asked, the plug-in itself has to notice the change.
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
          scene.log.asked.isEmpty ? scene.mustRefuse(outcome) : scene.onlyTheSamePerson(outcome)
        }
      }
    }
  }
}
