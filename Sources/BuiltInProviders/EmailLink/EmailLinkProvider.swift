public import AuthCore

/// Signs in by a link sent to an e-mail address, without a password.
///
/// The credential repeats the address, which has to be the one that the link was sent to. Opening a link that
/// another person forwarded therefore causes no accidental sign-in.
public struct EmailLinkProvider: AuthProvider, ChallengeIssuing {
  /// The ID `emailLink`.
  public let id = ProviderID.emailLink
  /// The provider's name, builder and configuration fields.
  public let manifest = ProviderManifest(
    name: "E-mail link", kind: .emailLink,
    builders: [
      CredentialBuilder(
        "credential",
        fields: [
          CredentialField("email", type: .email, "the address that the link was sent to"),
          CredentialField("link", secret: true, "the whole link, or its oobCode alone"),
        ])
    ],
    configuration: [
      ConfigurationField("linkBase", .url, "the page that links open"),
      ConfigurationField(
        "allowedHosts", .list, "the hosts, as host or host:port, that a continueURL may name"),
      ConfigurationField(
        "linkSeconds", .number, "the lifetime of a link in seconds, by default 21600"),
      ConfigurationField("language", .text, "the language of the page, such as de"),
    ])

  private static let purpose = "email-link"
  private static let usualSeconds: Int64 = 6 * 3600

  /// Makes the provider.
  public init() {}

  /// Makes a link and sends it.
  ///
  /// An admin decides which page the link opens: `linkBase`, or without one the request's `continueURL` if its host
  /// is one of `allowedHosts`. The link is sent to the normalised address, because that is the address it proves.
  ///
  /// Throws `invalid-email`, `operation-not-allowed` if no page is set, `unauthorized-continue-uri` for a
  /// `continueURL` of another host, `too-many-requests`, and the sender's errors.
  public func issueChallenge(
    _ request: ChallengeRequest, _ context: VerificationContext
  ) async throws -> Challenge {
    let codes = try context.openCodes(of: id)
    let email = try address(request.recipient)
    try email.checkSpecials()
    let page = try LinkPage(context.settings, continueURL: request.continueURL)
    let lifetime = try lifetime(context.settings)
    let issued = try await codes.issue(
      Self.purpose, for: email.canonical, account: request.account, .letters, lifetime: lifetime)
    let link = page.link(OneTimeLinkCode(id: issued.id, code: issued.code.reveal()))
    try await context.deliver(
      OutgoingMessage(
        kind: .emailLink, scope: context.scope, recipient: email.canonical, proof: Secret(link),
        expiresAt: issued.expiresAt, requestedFrom: request.requestedFrom, intent: request.intent))
    return Challenge(verificationID: issued.id, expiresAt: issued.expiresAt)
  }

  /// Verifies the link and returns an identity with the address that the link was sent to.
  ///
  /// Throws `invalid-credential` for a text that is not such a link, `invalid-email` if the link was sent to
  /// another address, `invalid-verification-id` for an unknown link or one that another account has to use,
  /// `invalid-verification-code`, and `code-expired`. A link with a code that the graph made throws
  /// `invalid-action-code` or `expired-action-code` instead.
  ///
  /// The link is not used up here, but together with the change that the identity causes.
  public func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let email = try address(try credential.required("email"))
    let checked = try await check(
      try OneTimeLinkCode(try credential.required("link")), try context.openCodes(of: id))
    try context.checkOwner(of: checked)
    guard email.canonical == checked.subject else {
      throw AuthError(
        .invalidEmail, "The link was sent to another address.", field: "email",
        remedy: "Give the address that the link was sent to.", step: .credential)
    }
    var identity = VerifiedIdentity(
      provider: id, key: IdentityKey(id, subject: email.canonical),
      profile: IdentityProfile(email: email.text), emailVerified: true, email: email)
    identity.uses = [checked.use]
    return identity
  }

  private func check(
    _ link: OneTimeLinkCode, _ codes: OneTimeCodes
  ) async throws -> OneTimeCodes.Checked {
    guard !link.id.isEmpty else { return try await codes.check(emailSignInCode: link.code) }
    return try await codes.check(Self.purpose, id: link.id, code: link.code)
  }

  /// The lifetime of a link, in seconds.
  func lifetime(_ settings: ProviderSettings) throws(AuthError) -> Int64 {
    try settings.seconds("linkSeconds", default: Self.usualSeconds, in: 60...86_400)
  }

  private func address(_ text: String) throws(AuthError) -> EmailAddress {
    do throws(AuthError) {
      return try EmailAddress(text)
    } catch {
      var error = error
      error.step = .credential
      throw error
    }
  }
}
