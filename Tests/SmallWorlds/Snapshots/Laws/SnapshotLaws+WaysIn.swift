import AuthCore

extension SnapshotLaw {
  /// Laws of the identities of the account in a request.
  static let ofWaysIn = [
    SnapshotLaw("no way in") { judged in
      let question = judged.question
      guard !question.isForced, !question.settings.contains(.lastMayGo) else { return nil }
      for (old, new) in judged.updates where !old.identities.isEmpty && new.identities.isEmpty {
        // Only the proof of an unverified address may lock its holder out.
        if !judged.yielded(old, new) || !judged.isProven(old.email, besides: old.id) {
          return "\(old.id)"
        }
      }
      return nil
    },
    SnapshotLaw("a sign-in changes ways in") { judged in
      guard judged.isSignIn else { return nil }
      for (old, new) in judged.updates {
        let keys = (old: old.identities.map(\.key), new: new.identities.map(\.key))
        if judged.isEntered(old) {
          if keys.old != keys.new || old.email != new.email { return "\(old.id)" }
        } else if old.emailVerified {
          let added = keys.new.filter { !keys.old.contains($0) }
          guard keys.old.allSatisfy(keys.new.contains), added.count == 1,
            added.first == judged.question.identityKey
          else { return "\(old.id)" }
        }
      }
      return nil
    },
    SnapshotLaw("a link that does something else") { judged in
      let question = judged.question
      switch question.kind {
      case .linkVendor, .linkPassword, .linkLink, .assert: break
      default: return nil
      }
      guard judged.outcome.merge == nil else { return nil }
      guard let id = judged.state.target?.account.id, let key = question.identityKey,
        let new = judged.account(id), let old = judged.state.member(id)?.account, new.owns(key)
      else { return "it is not linked" }
      let moved: [ProviderID] = new.email == old.email ? [] : [.password, .emailLink]
      let lost = old.identities.filter { new.identity($0.key) == nil }
      return lost.allSatisfy { moved.contains($0.provider) } ? nil : "\(lost.map(\.key)) went"
    },
    SnapshotLaw("an unlinking that does something else") { judged in
      let question = judged.question
      switch question.kind {
      case .unlinkVendor, .unlinkPassword, .unlinkLink: break
      default: return nil
      }
      guard let old = judged.state.target?.account, let new = judged.account(old.id) else {
        return "the account is gone"
      }
      let lost = old.identities.filter { new.identity($0.key) == nil }
      let isRight = lost.count == 1 && lost[0].provider == question.providerID
      return isRight && new.email == old.email ? nil : "\(lost.map(\.key)) went"
    },
  ]
}
