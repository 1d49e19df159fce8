import AuthCore

/// Links on an admin's authority.
extension Situation {
  private static let vendor = SameProvider.id

  static let assertions: [Situation] = [
    Situation("assert: a new identity", .assert(vendor, subject: "1001")),
    Situation(
      "assert: an identity whose address another account has verified",
      .assert(vendor, subject: "1001", email: "bo@example.com")
    ) {
      $0.other = .bo
    },
    Situation(
      "assert: an identity that is linked already", .assert(vendor, subject: "1001"),
      refusal: .providerAlreadyLinked
    ) {
      $0.me.subjects = ["1001"]
    },
    Situation(
      "assert: another identity of a provider that is linked", .assert(vendor, subject: "1002"),
      refusal: .providerAlreadyLinked
    ) {
      $0.me.subjects = ["1001"]
    },
    Situation(
      "assert: another identity of a provider of which there may be many",
      .assert(vendor, subject: "1002")
    ) {
      $0.me.subjects = ["1001"]
      $0.settings = { $0.identitiesPerProvider = .many }
    },
    Situation(
      "assert: an identity of another account", .assert(vendor, subject: "1001"),
      refusal: .credentialAlreadyInUse
    ) {
      $0.other = .bo.with { $0.subjects = ["1001"] }
    },
    Situation(
      "assert: an identity of another account, of a provider that is linked",
      .assert(vendor, subject: "1002"), refusal: .providerAlreadyLinked
    ) {
      $0.me.subjects = ["1001"]
      $0.other = .bo.with { $0.subjects = ["1002"] }
    },
    Situation(
      "assert: an identity of another account, and a policy answers without proof",
      .assert(vendor, subject: "1001"), refusal: .credentialAlreadyInUse
    ) {
      $0.other = .bo.with { $0.subjects = ["1001"] }
      $0.merging(isUnproven: true)
    },
    Situation(
      "assert: an identity of another account, and a policy wants proof",
      .assert(vendor, subject: "1001"), refusal: .credentialAlreadyInUse
    ) {
      $0.other = .bo.with { $0.subjects = ["1001"] }
      $0.merging()
    },
    Situation(
      "assert: an identity of another account, and a policy refuses",
      .assert(vendor, subject: "1001"), refusal: .mergeRefused
    ) {
      $0.other = .bo.with { $0.subjects = ["1001"] }
      $0.decide("return refuse 'ask us'", isUnproven: true)
    },
    Situation("assert: a free number", .assert(.phone, subject: "+15555550100")),
    Situation(
      "assert: a number of another account", .assert(.phone, subject: "+15555550100"),
      refusal: .credentialAlreadyInUse
    ) {
      $0.other = .bo.with { $0.number = "+15555550100" }
    },
  ]
}
