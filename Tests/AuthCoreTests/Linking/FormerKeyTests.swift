import AuthCore
import AuthTesting
import Testing
import TestSupport

/// P2: imported accounts whose file uses another key of the vendor.
@Suite struct `Keys of imported records` {
  private static let vendor = ProviderID("microsoft.com")
  private let home = TestHome(more: [Vendor(id: vendor)])

  /// A provider with tenants, whose people Firebase identifies by the object ID alone.
  private struct Vendor: AuthProvider {
    let id: ProviderID
    var manifest: ProviderManifest {
      ProviderManifest(
        name: "Vendor", kind: .custom,
        builders: [
          CredentialBuilder(
            "credential",
            fields: [
              CredentialField("tenant", "the tenant"), CredentialField("object", "the person"),
              CredentialField("email", required: false, "the address"),
            ])
        ])
    }

    func verify(
      _ credential: Credential, _ context: VerificationContext
    ) async throws -> VerifiedIdentity {
      let (tenant, object) = (
        try credential.required("tenant"), try credential.required("object")
      )
      var identity = VerifiedIdentity(
        provider: id, key: IdentityKey(id, issuer: tenant, subject: "\(tenant).\(object)"),
        profile: IdentityProfile(email: credential["email"]),
        email: try credential["email"].map { try EmailAddress($0) })
      identity.formerKeys = [tenant, ""].map { IdentityKey(id, issuer: $0, subject: object) }
      return identity
    }
  }

  private func enter(
    _ tenant: String, _ object: String, email: String? = nil
  ) async throws -> SignInResult {
    var fields = ["tenant": tenant, "object": object]
    fields["email"] = email
    return try await home.signIn(try home.graph.providers.credential(Self.vendor, fields))
  }

  private func record(
    _ uid: String, subject: String, issuer: String = "", email: String? = nil
  ) throws -> ImportedAccount {
    var account = Account(id: AccountID(uid), scope: home.scope, createdAt: home.clock.now)
    account.email = try email.map { try EmailAddress($0) }
    account.emailVerified = email != nil
    account.identities = [
      Identity(
        key: IdentityKey(Self.vendor, issuer: issuer, subject: subject), origin: .imported,
        linkedAt: home.clock.now)
    ]
    return ImportedAccount(account: account, line: 1)
  }

  private func load(_ records: ImportedAccount...) async throws {
    let outcomes = try await home.graph.importAccounts(records, by: home.admin)
    #expect(outcomes.allSatisfy { $0 == .imported })
  }

  @Test(arguments: [nil, "ada@example.com"] as [String?])
  func `P2: an imported person is found at the first sign-in, and by the full key from then on`(
    email: String?
  ) async throws {
    try await load(try record("ada", subject: "o1", email: email))

    let first = try await enter("t1", "o1", email: email)
    let second = try await enter("t1", "o1", email: email)

    #expect(!first.isNewUser && first.account.id == AccountID("ada"))
    #expect(second.account.id == AccountID("ada"))
    #expect(second.account.identities.map(\.key.subject) == ["t1.o1"])
    #expect(second.account.identities.first?.lastSignInAt == home.clock.now)
    // The session belongs to the adopted identity.
    #expect(first.session?.identity.map { second.account.owns($0) } == true)
  }

  @Test func `P2: the same object of another tenant finds no account afterwards`() async throws {
    try await load(try record("ada", subject: "o1"))
    _ = try await enter("t1", "o1")

    let stranger = try await enter("t2", "o1")

    #expect(stranger.isNewUser)
    #expect(stranger.account.id != AccountID("ada"))
  }

  @Test func `P2: a record that names its tenant is not found from another one`() async throws {
    try await load(try record("ada", subject: "o1", issuer: "t1"))

    let stranger = try await enter("t2", "o1")
    let ada = try await enter("t1", "o1")

    #expect(stranger.isNewUser)
    #expect(ada.account.id == AccountID("ada"))
  }

  @Test func `P2: a person who signed in before the import keeps that account`() async throws {
    let own = try await enter("t1", "o1").account
    try await load(try record("ada", subject: "o1"))

    #expect(try await enter("t1", "o1").account.id == own.id)
  }

  @Test func `P2: an identity that an admin asserts is found like an imported one`() async throws {
    let ada = try await home.signIn(try home.credential("1")).account
    _ = try await home.graph.assert(
      IdentityKey(Self.vendor, subject: "o1"), profile: IdentityProfile(), on: ada.id,
      by: home.admin)

    let result = try await enter("t1", "o1")

    #expect(!result.isNewUser && result.account.id == ada.id)
  }

  @Test func `P2: a link of an imported person is refused to others, and not doubled`() async throws
  {
    try await load(try record("ada", subject: "o1"))
    let other = try await home.signIn(try home.credential("1")).account
    let credential = try home.graph.providers.credential(
      Self.vendor, ["tenant": "t1", "object": "o1"])

    await expectError(.credentialAlreadyInUse) {
      try await home.graph.link(credential, to: other.id, by: home.session(other.id))
    }
    await expectError(.providerAlreadyLinked) {
      try await home.graph.link(
        credential, to: AccountID("ada"), by: home.session(AccountID("ada")))
    }
  }

  @Test func `P2: an undone merge leaves the key with the person`() async throws {
    try await load(try record("ada", subject: "o1"))
    let other = try await home.signIn(try home.credential("1")).account
    let merge = try await home.graph.commit(
      home.graph.planMerge(keep: other.id, absorb: AccountID("ada"), in: home.scope),
      by: home.admin)
    #expect(try await enter("t1", "o1").account.id == other.id)

    _ = try await home.graph.undoMerge(merge.id, by: home.admin)

    #expect(try await enter("t1", "o1").account.id == AccountID("ada"))
  }

  @Test func `P2: a disabled person stays out`() async throws {
    var imported = try record("ada", subject: "o1").account
    imported.disabled = true
    try await load(ImportedAccount(account: imported, line: 1))

    await expectError(.userDisabled) { try await enter("t1", "o1") }
  }
}
