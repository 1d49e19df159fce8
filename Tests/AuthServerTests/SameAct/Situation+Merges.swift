import AuthCore

/// Merges of two accounts.
extension Situation {
  static let merges: [Situation] = [
    Situation("merge: an account with another way in", .merge) {
      $0.other = .bo.with { $0.subjects = ["1001"] }
      let own = Exception.done("a merge of one's own asks both sessions, and an admin shows none")
      $0.exceptions = [.client: own, .embedded: own]
    },
    Situation("merge: what one policy decides", .merge) {
      $0.other = .bo.with { $0.subjects = ["1001"] }
      $0.only = [.client, .embedded]
      $0.decide("return merge { into = c.existing, from = c.current }")
    },
  ]
}
