/// Enumerates the snapshots that a question can see, each once up to renaming.
struct SnapshotEnumeration {
  /// The maximum total weight of the accounts.
  private let weight: Int
  private let candidates: [Candidate]
  /// For each weight, the number of candidates up to it.
  private let ends: [Int]
  private let needed: UInt16
  /// The tables of the renamings that leave the question unchanged, except the identity.
  private let renamings: [[UInt32]]

  init(of question: Question, weight: Int) {
    let found = question.candidates(weight: weight)
    self.weight = weight
    candidates = found
    ends = (0...weight).map { most in found.count { $0.weight <= most } }
    needed = question.needed
    renamings = Renaming.all.dropFirst().filter { question.renamed(by: $0) == question }
      .map { AccountTable.shared.renamed[Int($0.bits)] }
  }

  /// Calls the body with each representative of the snapshots that differ only in names.
  func forEach(_ body: (SmallSnapshot) throws -> Void) rethrows {
    if needed == 0 { try visit(0, 0, 0, with: body) }
    for first in 0..<ends[weight] {
      let one = candidates[first]
      let left = weight - one.weight
      if one.alone & needed == needed { try visit(0, 0, one.slot, with: body) }
      for second in first..<max(first, ends[left]) {
        let two = candidates[second]
        guard one.alone & two.alone == 0 else { continue }
        let both = one.alone | two.alone
        if both & needed == needed { try visit(0, one.slot, two.slot, with: body) }
        for third in second..<max(second, ends[left - two.weight]) {
          let three = candidates[third]
          guard both & three.alone == 0, (both | three.alone) & needed == needed else { continue }
          try visit(one.slot, two.slot, three.slot, with: body)
        }
      }
    }
  }

  /// Passes a snapshot on if it is the first of those that differ only in names.
  private func visit(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, with body: (SmallSnapshot) throws -> Void
  ) rethrows {
    let own = Sorted(a, b, c)
    var same = 1
    for table in renamings {
      let other = Sorted(
        table[Int(a >> 3)] << 3 | a & 7, table[Int(b >> 3)] << 3 | b & 7,
        table[Int(c >> 3)] << 3 | c & 7)
      if other.packed < own.packed { return }
      if other.packed == own.packed { same += 1 }
    }
    let orbit = Renaming.count / (same * own.sameOrders)
    try body(SmallSnapshot(slots: [own.low, own.middle, own.high], orbit: orbit))
  }
}

/// Three numbers in order.
private struct Sorted {
  let low: UInt32
  let middle: UInt32
  let high: UInt32

  init(_ a: UInt32, _ b: UInt32, _ c: UInt32) {
    let (small, large) = a < b ? (a, b) : (b, a)
    if c >= large {
      (low, middle, high) = (small, large, c)
    } else {
      (low, middle, high) = c < small ? (c, small, large) : (small, c, large)
    }
  }

  var packed: UInt64 { UInt64(high) << 42 | UInt64(middle) << 21 | UInt64(low) }

  /// The number of permutations that leave them unchanged.
  var sameOrders: Int {
    switch (low == middle, middle == high) {
    case (true, true): 6
    case (false, false): 1
    default: 2
    }
  }
}
