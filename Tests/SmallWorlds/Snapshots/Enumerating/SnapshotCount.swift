/// Two counts of the same states: by orbits, and one by one with all names.
package struct SnapshotCount: Sendable {
  /// The sum of the orbits of the representatives.
  package private(set) var byOrbits = 0
  package private(set) var oneByOne = 0
  /// The number of representatives.
  package private(set) var representatives = 0

  /// Counts the states up to a weight.
  package init(weight: Int) {
    for question in Question.normal {
      SnapshotEnumeration(of: question, weight: weight).forEach { snapshot in
        representatives += 1
        byOrbits += snapshot.orbit
      }
    }
    for question in Question.all { oneByOne += Self.snapshots(of: question, weight) }
  }

  /// Returns the number of ways to assign three uids to accounts of a question's snapshots, or to none.
  private static func snapshots(of question: Question, _ weight: Int) -> Int {
    let none = Candidate(slot: 0, alone: 0, weight: 0)
    let candidates = [none] + question.candidates(weight: weight)
    var count = 0
    for one in candidates {
      for two in candidates
      where one.alone & two.alone == 0 && one.weight + two.weight <= weight {
        let both = one.alone | two.alone
        let left = weight - one.weight - two.weight
        for three in candidates
        where both & three.alone == 0 && three.weight <= left
          && (both | three.alone) & question.needed == question.needed
        {
          count += 1
        }
      }
    }
    return count
  }
}
