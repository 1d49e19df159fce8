import AuthCore

/// A formula that holds for every split and move.
struct TransferLaw: Sendable {
  let name: String
  /// Returns the violation.
  private let breach: @Sendable (JudgedTransfer) -> String?

  private init(_ name: String, _ breach: @escaping @Sendable (JudgedTransfer) -> String?) {
    (self.name, self.breach) = (name, breach)
  }

  /// Returns the first law that a change breaks.
  static func violation(of judged: JudgedTransfer) -> Violation? {
    for law in ofIdentities + ofAddresses + ofAccounts {
      guard let details = law.breach(judged) else { continue }
      return Violation(name: law.name, details: "\(details): \(judged.asked)")
    }
    return nil
  }

  /// Returns the fault of a refusal that has no cause in the accounts.
  static func violation(ofRefusing asked: TransferCase, with error: AuthError) -> Violation? {
    let (source, target) = (asked.source, asked.target)
    let isCaused =
      switch error.code {
      case .providerAlreadyLinked:
        asked.settings.identitiesPerProvider == .one
          && source.identities.contains { identity in
            target?.identities.contains { $0.provider == identity.provider } ?? false
          }
      case .operationNotAllowed:
        target?.email != nil && source.email != nil && target?.email != source.email
      case .unverifiedEmail:
        source.email != nil && !source.emailVerified && target?.secondFactors.isEmpty == false
      default: false
      }
    return isCaused
      ? nil : Violation(name: "a refusal without a cause", details: "\(error): \(asked)")
  }

  private static let ofIdentities = [
    TransferLaw("an identity of two, or of nobody") { judged in
      let keys = (
        before: judged.before.flatMap(\.identities).map(\.key).sorted { "\($0)" < "\($1)" },
        after: judged.after.flatMap(\.identities).map(\.key).sorted { "\($0)" < "\($1)" }
      )
      return keys.before == keys.after ? nil : "\(keys.after)"
    },
    TransferLaw("another identity goes") { judged in
      let keys = judged.moved.map(\.key)
      guard judged.asked.named.allSatisfy(keys.contains) else { return "\(keys)" }
      // A password and the links to its address go together.
      let addresses = judged.asked.named.filter { [.password, .emailLink].contains($0.provider) }
        .map(\.subject)
      let others = keys.filter { !judged.asked.named.contains($0) }
      return others.allSatisfy {
        [.password, .emailLink].contains($0.provider) && addresses.contains($0.subject)
      } ? nil : "\(others)"
    },
    TransferLaw("a shut account that is not named") { judged in
      let shut = judged.after.filter(\.identities.isEmpty).map(\.id)
      return shut == judged.shut ? nil : "\(shut), not \(judged.shut)"
    },
  ]

  private static let ofAddresses = [
    TransferLaw("an address from nowhere") { judged in
      judged.after.first { account in
        account.email != nil
          && !judged.before.contains {
            $0.email == account.email && ($0.emailVerified || !account.emailVerified)
          }
      }.map { "\($0)" }
    },
    TransferLaw("a lost address") { judged in
      judged.before.first { account in
        account.email != nil
          && !judged.after.contains {
            $0.email == account.email && ($0.emailVerified || !account.emailVerified)
          }
      }.map { "\($0)" }
    },
    TransferLaw("an address of two") { judged in
      let addresses = (
        before: judged.before.compactMap(\.email), after: judged.after.compactMap(\.email)
      )
      return addresses.after.count > addresses.before.count ? "\(addresses.after)" : nil
    },
    TransferLaw("a way in without its address") { judged in
      judged.after.first { account in
        account.identities.contains {
          [.password, .emailLink].contains($0.provider)
            && $0.key.subject != account.email?.canonical
        }
      }.map { "\($0)" }
    },
    TransferLaw("an unproven address behind a second factor") { judged in
      judged.after.first {
        !$0.secondFactors.isEmpty && $0.email != nil && !$0.emailVerified
      }.map { "\($0)" }
    },
  ]

  private static let ofAccounts = [
    TransferLaw("a second factor that goes") { judged in
      judged.sourceAfter.secondFactors == judged.asked.source.secondFactors
        && judged.targetAfter.secondFactors == judged.asked.target?.secondFactors ?? []
        ? nil : "\(judged.targetAfter.secondFactors)"
    },
    TransferLaw("a disabled account opens") { judged in
      judged.sourceAfter.disabled == judged.asked.source.disabled
        && judged.targetAfter.disabled == (judged.asked.target ?? judged.asked.source).disabled
        ? nil : "\(judged.targetAfter)"
    },
    TransferLaw("another owner") { judged in
      let isNew = judged.asked.target == nil
      return judged.sourceAfter.ownership == judged.asked.source.ownership
        && (judged.targetAfter.ownership == SnapshotNames.ownership) != isNew
        ? nil : "\(judged.after.map(\.ownership))"
    },
    TransferLaw("a session that goes on") { judged in
      let mark = judged.asked.source.sessionMark ?? SessionMark(mark: 1)
      return judged.sourceAfter.hasEnded(.of(mark), begunAt: SnapshotNames.opened)
        ? nil : "\(judged.sourceAfter)"
    },
    TransferLaw("an inexact undo") { judged in
      guard judged.undone.count == judged.before.count else { return "\(judged.undone)" }
      for old in judged.before {
        guard let new = judged.undone.first(where: { $0.id == old.id }), new.isAs(old) else {
          return "\(judged.undone) of \(old)"
        }
      }
      return nil
    },
  ]
}

extension Account {
  /// Tells whether an account is as another one, apart from its sessions.
  fileprivate func isAs(_ other: Account) -> Bool {
    identities == other.identities && email == other.email && emailVerified == other.emailVerified
      && disabled == other.disabled && isAnonymous == other.isAnonymous
      && secondFactors == other.secondFactors && ownership == other.ownership
  }
}
