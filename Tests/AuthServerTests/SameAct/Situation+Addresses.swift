import AuthCore

/// Changes of the address and of the number.
extension Situation {
  private static let admins: Set<FaceName> = [.console, .adminSDK]
  private static let sessions: Set<FaceName> = [.client, .embedded]
  private static let unverified = StagedAccount.ada.with { $0.isVerified = false }
  /// Settings that let sessions move unverified accounts to unproved addresses.
  private static let telling: @Sendable (inout ProjectSettings) -> Void = {
    $0.signIn.hidesAccounts = false
  }

  static let addresses: [Situation] = [
    Situation("e-mail: a free address, by an admin", .changeEmail("new@example.com")) {
      $0.only = admins
    },
    Situation(
      "e-mail: a free address that an admin calls verified",
      .changeEmail("new@example.com", verified: true)),
    Situation("e-mail: a free address, of an unverified account", .changeEmail("new@example.com")) {
      ($0.me, $0.settings) = (unverified, telling)
    },
    Situation(
      "e-mail: an address that another account has verified", .changeEmail("bo@example.com"),
      refusal: .emailAlreadyInUse
    ) {
      ($0.me, $0.other, $0.settings) = (unverified, .bo, telling)
    },
    Situation(
      "e-mail: an address that another account has and never verified",
      .changeEmail("bo@example.com"), refusal: .emailAlreadyInUse
    ) {
      ($0.me, $0.settings) = (unverified, telling)
      $0.other = .bo.with { $0.isVerified = false }
    },
    Situation(
      "e-mail: an address that another account never verified, and an admin calls verified",
      .changeEmail("bo@example.com", verified: true), refusal: .emailAlreadyInUse
    ) {
      $0.other = .bo.with { $0.isVerified = false }
    },
    Situation(
      "e-mail: an unproven address in a verified one's place, by a session",
      .changeEmail("new@example.com"), refusal: .operationNotAllowed
    ) {
      $0.only = sessions
    },
    Situation(
      "e-mail: a taken address, by a session that may not learn of it",
      .changeEmail("bo@example.com"), refusal: .operationNotAllowed
    ) {
      ($0.me, $0.other, $0.only) = (unverified, .bo, sessions)
    },
    Situation(
      "e-mail: an unproven address before a second factor", .changeEmail("new@example.com"),
      refusal: .unverifiedEmail
    ) {
      $0.me.isGuarded = true
      $0.only = admins
    },
  ]

  static let numbers: [Situation] = [
    Situation("number: a free one", .changeNumber("+15555550100")),
    Situation("number: another one", .changeNumber("+15555550101")) {
      $0.me.number = "+15555550100"
    },
    Situation(
      "number: one of another account", .changeNumber("+15555550100"),
      refusal: .phoneNumberAlreadyExists
    ) {
      $0.other = .bo.with { $0.number = "+15555550100" }
    },
  ]
}
