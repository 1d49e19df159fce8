import AuthCore

/// Judges the answer of a policy to one conflict.
struct PairJudge {
  let trial: PolicyTrial
  /// True if the file has the time of a decision.
  let readsTime: Bool

  /// The policy's answer to a conflict, and the findings with their explanations.
  struct Judgement {
    let answer: PolicyTrial.Answer
    fileprivate(set) var findings: [FindingKey: String] = [:]
    /// True if the answer would be another one with both accounts proven.
    fileprivate(set) var dependsOnProof = false

    fileprivate init(_ answer: PolicyTrial.Answer) {
      self.answer = answer
    }

    fileprivate mutating func add(
      _ property: PolicyProperty, isFault: Bool, _ kind: String, _ text: String
    ) {
      findings[FindingKey(property: property, isFault: isFault, kind: kind)] = text
    }
  }

  func judge(_ conflict: MergeConflict) -> Judgement {
    var judgement = Judgement(trial.answer(conflict))
    switch judgement.answer {
    case .notAsked: return judgement
    case .refuses: break
    case .fails(let failure):
      judgement.add(.total, isFault: true, failure.kind, failure.message)
      return judgement
    case .merges(let side, let plan):
      judgeSymmetry(conflict, side, &judgement)
      judgeProof(conflict, &judgement)
      judgeLosses(plan, &judgement)
    }
    if !conflict.proof.both {
      judgement.dependsOnProof = trial.answer(conflict.proven).side != judgement.answer.side
    }
    if readsTime { judgeTime(conflict, &judgement) }
    return judgement
  }

  /// The survivor may depend on the side of an account only if nothing else sets the two apart, or the file says so.
  private func judgeSymmetry(
    _ conflict: MergeConflict, _ side: PairSide, _ judgement: inout Judgement
  ) {
    // A file may offer a merge to whoever is proven, and whether an account is proven depends on its side.
    guard conflict.proof.both else { return }
    let swapped = conflict.swapped
    // An address in use always belongs to the existing account.
    guard conflict.code != .emailAlreadyInUse || conflict.current.email != nil else { return }
    let isDeclared = trial.policy.dependsOnSide
    switch trial.answer(swapped) {
    case .notAsked, .fails: return
    case .merges(into: side.other, _): return
    case .merges:
      let isBySide =
        isDeclared || PairSide.allCases.allSatisfy { keepsSide(side, conflict.alike($0)) }
      judgement.add(
        .symmetric, isFault: !isBySide, side.rawValue,
        isBySide
          ? "The side decides: the \(side) account survives, whichever of the two it is."
          : "The \(side) account survives, whichever of the two it is, but the side alone does not "
            + "decide: of two accounts alike another one may survive.")
    case .refuses(let reason):
      let isBySide =
        isDeclared || PairSide.allCases.allSatisfy { trial.survivor(conflict.alike($0)) == nil }
      judgement.add(
        .symmetric, isFault: !isBySide, "one way",
        "It merges into the \(side) account, but refuses if the two change sides: \(reason)")
    }
  }

  /// Tells whether the same side survives in both orders.
  private func keepsSide(_ side: PairSide, _ conflict: MergeConflict) -> Bool {
    trial.survivor(conflict) == side && trial.survivor(conflict.swapped) == side
  }

  private func judgeProof(_ conflict: MergeConflict, _ judgement: inout Judgement) {
    guard !conflict.proof.both else { return }
    judgement.add(
      .proven, isFault: false, "offer",
      "It offers an admin to merge accounts that were not both proven to be the person's.")
  }

  private func judgeTime(_ conflict: MergeConflict, _ judgement: inout Judgement) {
    let later = trial.answer(conflict.later)
    guard !later.isFailure, later.side != judgement.answer.side else { return }
    judgement.add(
      .steady, isFault: true, "time", "The answer is another one a millisecond later.")
  }
}

/// Losses.
extension PairJudge {
  private func judgeLosses(_ plan: MergePlan, _ judgement: inout Judgement) {
    for account in [plan.survivor, plan.absorbed] {
      for factor in account.secondFactors where !plan.result.has(factor) {
        judgement.add(
          .lossless, isFault: true, "factor",
          "A second factor of the \(account.id) account is lost: \(factor.factorID).")
      }
    }
    guard !plan.droppedIdentities.isEmpty else { return }
    // What every merge of these two drops, such as a second password, is no policy's fault.
    let usual = try? MergePlan.rehearse(
      keep: plan.survivor, absorb: plan.absorbed, rules: MergeRules())
    let lost = plan.droppedIdentities.filter { usual?.droppedIdentities.contains($0) != true }
    guard !lost.isEmpty else { return }
    let kept = Set(plan.result.identities.map(\.key))
    for account in [plan.survivor, plan.absorbed] {
      let ways = account.identities.map(\.key)
      guard ways.contains(where: lost.contains), !ways.contains(where: kept.contains) else {
        continue
      }
      judgement.add(
        .lossless, isFault: true, "every way",
        "No way to sign in of the \(account.id) account is left: \(Self.list(ways)).")
    }
    let unnamed = lost.filter { !plan.rules.droppedIdentities.contains($0) }
    for key in unnamed {
      let isLast = !plan.result.identities.contains { $0.provider == key.provider }
      judgement.add(
        .lossless, isFault: isLast, "unnamed \(key.provider)",
        "\(key) is dropped, which dropIdentities does not name.")
    }
    let named = lost.filter(plan.rules.droppedIdentities.contains)
    if !named.isEmpty {
      judgement.add(
        .lossless, isFault: false, "named", "dropIdentities drops \(Self.list(named)).")
    }
  }

  private static func list(_ keys: [IdentityKey]) -> String {
    keys.map(\.description).joined(separator: ", ")
  }
}

extension Account {
  fileprivate func has(_ factor: SecondFactor) -> Bool {
    secondFactors.contains { own in
      if case .phone = own.kind, own.kind == factor.kind { return true }
      return own.id == factor.id
    }
  }
}
