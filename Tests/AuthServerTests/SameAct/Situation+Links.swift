import AuthCore

/// Links with a proof.
extension Situation {
  /// Returns the exceptions of Firebase's clients, which check their own state before a request.
  private static func knows(_ code: AuthError.Code) -> [FaceName: Exception] {
    [.embedded: .refused(code, "the client knows what its account has, and does not ask")]
  }

  static let links: [Situation] = [
    Situation("link: a new identity", .link(.vendor("1001"))),
    Situation(
      "link: an identity that is linked already", .link(.vendor("1001")),
      refusal: .providerAlreadyLinked
    ) {
      $0.me.subjects = ["1001"]
      $0.exceptions = knows(.providerAlreadyLinked)
      $0.exceptions[.client] = .done("a session can send its link again, and nothing changes")
    },
    Situation(
      "link: another identity of a provider that is linked", .link(.vendor("1002")),
      refusal: .providerAlreadyLinked
    ) {
      $0.me.subjects = ["1001"]
      $0.exceptions = knows(.providerAlreadyLinked)
    },
    Situation(
      "link: another identity of a provider of which there may be many", .link(.vendor("1002"))
    ) {
      $0.me.subjects = ["1001"]
      $0.settings = { $0.identitiesPerProvider = .many }
      $0.exceptions = knows(.providerAlreadyLinked)
    },
    Situation(
      "link: an identity of another account", .link(.vendor("1001")),
      refusal: .credentialAlreadyInUse
    ) {
      $0.other = .bo.with { $0.subjects = ["1001"] }
    },
    Situation("link: an identity of another account, and a policy merges", .link(.vendor("1001"))) {
      $0.other = .bo.with { $0.subjects = ["1001"] }
      $0.merging()
    },
    Situation(
      "link: an identity of another account, and a policy refuses", .link(.vendor("1001")),
      refusal: .mergeRefused
    ) {
      $0.other = .bo.with { $0.subjects = ["1001"] }
      $0.decide("return refuse 'ask us'")
      let exception = Exception.refused(
        .credentialAlreadyInUse, "a client gets the conflict that it knows how to handle")
      $0.exceptions = [.client: exception, .embedded: exception]
    },
    Situation(
      "link: an identity whose address another account has verified",
      .link(.vendor("1001", email: "bo@example.com")), refusal: .emailAlreadyInUse
    ) {
      $0.other = .bo
    },
    Situation(
      "link: an identity whose address another account has and never verified",
      .link(.vendor("1001", email: "bo@example.com")), refusal: .emailAlreadyInUse
    ) {
      $0.other = .bo.with { $0.isVerified = false }
    },
    Situation(
      "link: a trusted identity whose address another account has verified, and a policy merges",
      .link(.vendor("1001", email: "bo@example.com"))
    ) {
      $0.other = .bo
      $0.settings = { $0.trust[SameProvider.id] = .always }
      $0.merging()
    },
    Situation(
      "link: an identity whose address another account has verified, and a policy wants proof",
      .link(.vendor("1001", email: "bo@example.com")), refusal: .emailAlreadyInUse
    ) {
      $0.other = .bo
      $0.merging()
    },
  ]

  /// Links of addresses and numbers, which are sign-in methods themselves.
  static let wordedLinks: [Situation] = [
    Situation("link: a password of a free address", .link(.password("new@example.com"))) {
      $0.me = .vendorAlone
    },
    Situation(
      "link: a password of an address that another account has verified",
      .link(.password("bo@example.com")), refusal: .emailAlreadyInUse
    ) {
      ($0.me, $0.other) = (.vendorAlone, .bo)
    },
    Situation(
      "link: a password beside a password", .link(.password("ada@example.com")),
      refusal: .providerAlreadyLinked
    ) {
      $0.exceptions = [
        .client: .done("Firebase's server puts the new password in the old one's place"),
        .embedded: .refused(.providerAlreadyLinked, "the client does not ask"),
      ]
    },
    Situation("link: a mailbox of a free address", .link(.mail("new@example.com"))) {
      $0.me = .vendorAlone
    },
    Situation(
      "link: a mailbox of an address that another account has verified",
      .link(.mail("bo@example.com")), refusal: .emailAlreadyInUse
    ) {
      ($0.me, $0.other) = (.vendorAlone, .bo)
    },
    Situation(
      "link: a mailbox of an address that another account has and never verified",
      .link(.mail("bo@example.com"))
    ) {
      $0.me = .vendorAlone
      $0.other = .bo.with { $0.isVerified = false }
    },
    Situation("link: a free number", .link(.number("+15555550100"))),
    Situation(
      "link: a number of another account", .link(.number("+15555550100")),
      refusal: .credentialAlreadyInUse
    ) {
      $0.other = .bo.with { $0.number = "+15555550100" }
    },
  ]
}
