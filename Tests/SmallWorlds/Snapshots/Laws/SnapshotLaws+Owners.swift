import AuthCore

extension SnapshotLaw {
  /// Laws of ownership.
  static let ofOwners = [
    SnapshotLaw("an identity of two") { judged in
      var owners: [IdentityKey: AccountID] = [:]
      for account in judged.after {
        for identity in account.identities {
          guard let other = owners.updateValue(account.id, forKey: identity.key) else { continue }
          return "\(identity.key) is \(other)'s and \(account.id)'s"
        }
      }
      return nil
    },
    SnapshotLaw("an address of two") { judged in
      guard !judged.question.settings.contains(.sharedAddresses) else { return nil }
      let verified = judged.after.filter(\.emailVerified).compactMap(\.email?.canonical)
      return Set(verified).count == verified.count ? nil : "\(verified)"
    },
    // So a snapshot with accounts that the request does not find has the same outcome.
    SnapshotLaw("something is taken unseen") { judged in
      let known = judged.state.members.flatMap { $0.account.identities.map(\.key) }
      for account in judged.outcome.changes.compactMap(\.new) {
        for key in account.identities.map(\.key)
        where !known.contains(key) && !judged.state.keys.contains(.identity(key)) {
          return "\(account.id) gets \(key), and nobody looked whose it is"
        }
      }
      return nil
    },
    SnapshotLaw("a way in by another address") { judged in
      // A merge needs a proof of the mailbox of each link that is kept.
      let tied: [ProviderID] = judged.outcome.merge == nil ? [.password, .emailLink] : [.password]
      for account in judged.outcome.changes.compactMap(\.new) {
        let isOwn = account.identities.allSatisfy { identity in
          !tied.contains(identity.provider) || identity.key.subject == account.email?.canonical
        }
        if !isOwn || !account.faults.isEmpty { return "\(account)" }
      }
      return nil
    },
    SnapshotLaw("a merge without proof") { judged in
      guard let merge = judged.outcome.merge else { return nil }
      let pair = [merge.survivorBefore, merge.absorbedBefore]
      guard let target = judged.state.target?.account, pair.contains(where: { $0.id == target.id }),
        let existing = pair.first(where: { $0.id != target.id })
      else { return "\(merge.survivor) absorbs \(merge.absorbed)" }
      let isShown =
        [.linkVendor, .linkLink].contains(judged.question.kind) && judged.isEntered(existing)
      let isAddress = existing.emailVerified && judged.showsAddress(of: existing)
      let isRecycled =
        judged.question.kind == .linkVendor
        && existing.identities.contains { $0.provider == judged.question.providerID }
      let isProven = isShown || (isAddress && !isRecycled)
      let isOpen = existing.secondFactors.isEmpty && !pair.contains(where: \.disabled)
      return isProven && isOpen ? nil : "\(merge.survivor) absorbs \(merge.absorbed)"
    },
  ]
}
