import AuthCore

/// Compares the decisions on a case and on the same case under other names.
struct SnapshotRenaming {
  let renaming: Renaming
  /// The uid index of each slot's account.
  let uids: [Int]

  /// Makes the case under other names.
  func renamed(_ slots: [UInt32], _ cases: SnapshotCases) -> SnapshotCase {
    let table = AccountTable.shared.renamed[Int(renaming.bits)]
    return cases.make(slots.map { table[Int($0 >> 3)] << 3 | $0 & 7 }, uids: uids)
  }

  /// Returns the difference of two decisions, apart from names.
  func difference(
    _ first: Decision, on state: SnapshotCase, _ second: Decision, on other: SnapshotCase
  ) -> Violation? {
    let (one, two) = (Shape(first, state), Shape(second, other))
    guard one.isSame(as: two.renamedBack(by: renaming), on: state) else {
      return Violation(
        name: "a decision by names", details: "\(first)\nis \(second)\nunder other names")
    }
    return nil
  }
}

/// A decision with indices in place of names.
private struct Shape {
  private var words: [String] = []
  private var slots: [Int?] = []
  private var keys: UInt16 = 0
  /// The index of the conflicting account.
  private var existing: Int?

  init(_ decision: Decision, _ state: SnapshotCase) {
    add(decision, state)
  }

  private mutating func add(_ decision: Decision, _ state: SnapshotCase) {
    func slot(_ id: AccountID) -> Int? { state.member(id)?.slot }
    switch decision {
    case .createAccount: words.append("create")
    case .createBeside(let id): (words, slots) = (words + ["beside"], slots + [slot(id)])
    case .signIn(let id): (words, slots) = (words + ["signIn"], slots + [slot(id)])
    case .autoLink(let id): (words, slots) = (words + ["autoLink"], slots + [slot(id)])
    case .takeOver(let id, let removed):
      (words, slots) = (words + ["takeOver"], slots + [slot(id)])
      add(removed)
    case .link(let id): (words, slots) = (words + ["link"], slots + [slot(id)])
    case .linkedAlready(let id): (words, slots) = (words + ["linked already"], slots + [slot(id)])
    case .unlink(let id, let removed):
      (words, slots) = (words + ["unlink"], slots + [slot(id)])
      add(removed)
    case .conflict(let error, let current, let other):
      (words, slots) = (words + ["conflict", error.code.rawValue], slots + [slot(current)])
      existing = slot(other)
    case .secondFactor(let id, let next):
      (words, slots) = (words + ["secondFactor"], slots + [slot(id)])
      add(next, state)
    case .refuse(let error): words += ["refuse", error.code.rawValue]
    }
  }

  private mutating func add(_ removed: [IdentityKey]) {
    for key in removed { keys |= SnapshotNames.bits[.identity(key)] ?? 0 }
  }

  func renamedBack(by renaming: Renaming) -> Shape {
    var shape = self
    shape.keys = 0
    for (bit, _) in SnapshotNames.keys where keys & renaming.key(bit) != 0 { shape.keys |= bit }
    return shape
  }

  func isSame(as other: Shape, on state: SnapshotCase) -> Bool {
    guard words == other.words, slots == other.slots, keys == other.keys else { return false }
    return existing == other.existing
      || (isAnyHolder(existing, state) && isAnyHolder(other.existing, state))
  }

  /// Tells whether an account is one of several unverified holders of the address, of which the decision may name any.
  private func isAnyHolder(_ slot: Int?, _ state: SnapshotCase) -> Bool {
    guard let member = state.members.first(where: { $0.slot == slot }) else { return false }
    return !member.small.isVerified && member.small.address == state.question.address
  }
}

extension Renaming {
  /// Returns the bit of a key under its new name.
  func key(_ bit: UInt16) -> UInt16 {
    for provider in 0..<2 {
      for subject in 0..<2 where SmallAccount.Keys.subject(subject, of: provider) == bit {
        return SmallAccount.Keys.subject(
          self.subject(subject, of: provider), of: self.provider(provider))
      }
    }
    guard swapsAddresses else { return bit }
    let first = SmallAccount.Keys.password | SmallAccount.Keys.link | SmallAccount.Keys.address
    return bit & first != 0 ? bit << 1 : bit >> 1
  }
}
