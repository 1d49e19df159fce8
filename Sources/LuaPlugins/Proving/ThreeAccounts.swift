import AuthCore

/// Tries a policy on three accounts, merged in every order.
///
/// It is at fault if the first absorbs the second, the second the third, and the third the first: then two merges may
/// end with any of them. If a merge changes a value that the policy compares, such as the time of creation, the order
/// counts too; that is a remark.
struct ThreeAccounts {
  let trial: PolicyTrial
  let space: PairSpace

  /// An account with at most one unusual value.
  private struct Variant {
    let name: String
    let account: Account
  }

  /// Two accounts of which the same one survives on either side.
  private struct Duel {
    let firstWins: Bool
    /// The survivor after the merge.
    let result: Account
  }

  /// Three accounts that were found.
  private struct Found {
    var count = 0
    var accounts: [Variant] = []

    mutating func add(_ three: [Variant]) {
      count += 1
      if accounts.isEmpty { accounts = three }
    }
  }

  private static let names = ["the first account", "the second", "the third"]

  func findings() -> [PolicyFinding] {
    let conflict = space.draft(space.plain).uncheckedConflict
    let features = features(conflict)
    // The three accounts were created one after the other; each has each feature.
    let variants = (0..<3).map { place in
      features.map { variant($0, at: place) }
    }
    let beats = (0..<3).map { place in
      duels(conflict, variants[place], variants[(place + 1) % 3])
    }
    var (cycles, orders) = (Found(), Found())
    for first in features.indices {
      for second in features.indices {
        guard let one = beats[0][first][second] else { continue }
        for third in features.indices {
          guard let two = beats[1][second][third], let three = beats[2][third][first] else {
            continue
          }
          let accounts = [variants[0][first], variants[1][second], variants[2][third]]
          if one.firstWins == two.firstWins && two.firstWins == three.firstWins {
            cycles.add(accounts)
            continue
          }
          let merges = [
            (one, accounts[2].account), (two, accounts[0].account), (three, accounts[1].account),
          ]
          if survivors(of: merges, conflict).count > 1 { orders.add(accounts) }
        }
      }
    }
    return [
      finding(
        cycles, conflict, isFault: true,
        "Each of three accounts gives way to another one of them, so the order of two merges decides."
      ),
      finding(
        orders, conflict, isFault: false,
        "The survivor of three depends on the order, because a merge changes what the policy compares."
      ),
    ].compactMap(\.self)
  }

  /// The values of an account that make a difference, the simplest first.
  private func features(_ conflict: MergeConflict) -> [Variant] {
    var features = [Variant(name: "", account: conflict.current)]
    for (milliseconds, name) in [(Int64(10), "signed in"), (20, "signed in later")] {
      var account = conflict.current
      account.lastSignInAt = Timestamp(milliseconds: milliseconds)
      features.append(Variant(name: name, account: account))
    }
    // The first values of every dimension come before further ones.
    for value in 0..<3 {
      for (place, dimension) in space.dimensions.enumerated()
      where dimension.side == .current && dimension.values.indices.contains(value) {
        var kind = space.plain
        kind.values[place] = UInt8(value) + 1
        // The order of creation is fixed, and an account with a second factor is asked about on one side alone.
        // What a value changes beside the account, such as its earlier merges, is left out.
        guard let account = account(kind), account != conflict.current,
          account.createdAt == conflict.current.createdAt,
          account.secondFactors.isEmpty, !account.disabled
        else { continue }
        features.append(Variant(name: dimension.values[value].name, account: account))
      }
    }
    return Array(features.prefix(12))
  }

  /// The current account of a kind, whatever the other one lacks.
  private func account(_ kind: PairKind) -> Account? {
    var draft = space.draft(kind)
    draft.code = .credentialAlreadyInUse
    return draft.conflict?.current
  }

  private func variant(_ feature: Variant, at place: Int) -> Variant {
    let id = AccountID(["first", "second", "third"][place])
    var account = feature.account.copy(as: id)
    account.createdAt = Timestamp(milliseconds: Int64(place) + 1)
    let name = [Self.names[place], feature.name].filter { !$0.isEmpty }
    return Variant(name: name.joined(separator: " "), account: account)
  }

  /// The duels of all pairs; nil if an account is not merged, or its side decides.
  private func duels(
    _ conflict: MergeConflict, _ first: [Variant], _ second: [Variant]
  ) -> [[Duel?]] {
    first.map { one in
      second.map { other in
        let pair = conflict.between(one.account, other.account)
        guard pair.code != .emailAlreadyInUse || other.account.email != nil,
          case .merges(let side, let plan) = trial.answer(pair),
          trial.answer(pair.swapped).side == side.other
        else { return nil }
        return Duel(firstWins: side == .current, result: plan.result)
      }
    }
  }

  /// The uids that can survive if two of three accounts are merged first, and then the last one.
  private func survivors(
    of merges: [(Duel, last: Account)], _ conflict: MergeConflict
  ) -> Set<AccountID> {
    var survivors: Set<AccountID> = []
    for (duel, last) in merges {
      let next = conflict.between(duel.result, last)
      guard let side = trial.survivor(next) else { return [] }
      survivors.insert(next[side].id)
    }
    return survivors
  }

  private func finding(
    _ found: Found, _ conflict: MergeConflict, isFault: Bool, _ text: String
  ) -> PolicyFinding? {
    guard found.count > 0 else { return nil }
    let examples = found.accounts.indices.map { place -> String in
      let other = (place + 1) % 3
      let pair = conflict.between(found.accounts[place].account, found.accounts[other].account)
      let side = trial.answer(pair).side ?? .current
      return pair.exampleText(
        named: "\(found.accounts[place].name) and \(found.accounts[other].name)",
        expecting: .merge(into: side.rawValue))
    }
    return PolicyFinding(
      property: .ordered, isFault: isFault, text: text,
      pair: found.accounts.map(\.name).joined(separator: ", "), cases: found.count,
      example: examples.joined(separator: "\n"))
  }
}
