import AuthCore
import AuthTesting
import FakeVendors
import NIOConcurrencyHelpers

/// The vendor whose issuer an admin sets; it accepts every credential.
struct TeamProvider: AuthProvider {
  let id = Vendor.team.id
  /// True if the subjects of another issuer are other people.
  let namesSubjects: Bool
  private let people = FakeProvider(id: Vendor.team.id)

  var manifest: ProviderManifest {
    ProviderManifest(
      name: "Team", kind: .custom, builders: people.manifest.builders,
      configuration: [
        ConfigurationField(
          "issuer", .text, required: true, namesSubjects: namesSubjects, "whose people they are")
      ])
  }

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let issuer = try context.settings.required("issuer")
    guard credential["issuer"] == issuer else {
      throw AuthError(.invalidCredential, "It is of another issuer.", step: .credential)
    }
    let said = try await people.verify(credential, context)
    return VerifiedIdentity(
      provider: id, key: IdentityKey(id, subject: try credential.required("subject")),
      profile: said.profile, emailVerified: said.emailVerified, email: said.email)
  }
}

/// Custom tokens that consist of a uid.
struct AppTokens: AuthProvider {
  let id = ProviderID.custom
  let manifest = ProviderManifest(
    name: "Custom tokens", kind: .custom,
    builders: [CredentialBuilder("customToken", fields: [CredentialField("token", "the uid")])])

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    var identity = VerifiedIdentity(provider: id, key: nil)
    identity.account = AccountID(try credential.required("token"))
    return identity
  }
}

/// Phone numbers that count as proven.
struct ShownPhones: AuthProvider {
  let id = ProviderID.phone
  let manifest = ProviderManifest(
    name: "Phone", kind: .phone,
    builders: [CredentialBuilder("credential", fields: [CredentialField("number", "the number")])])

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    let number = try PhoneNumber(try credential.required("number"))
    return VerifiedIdentity(provider: id, key: .phone(number), phoneNumber: number)
  }
}

/// The app's function, which accepts new people or refuses them.
final class Doors: SignInHooks {
  private let closed = NIOLockedValueBox(false)

  var isClosed: Bool {
    get { closed.withLockedValue(\.self) }
    set { closed.withLockedValue { $0 = newValue } }
  }

  func isInterested(in functions: BlockingFunctions) -> Bool { isClosed }

  func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? {
    guard isClosed, event.kind == .beforeCreate else { return nil }
    throw AuthError(.blockingFunctionError, "Nobody new is let in.")
  }
}

/// Random bits that depend on a step's number alone, so that a history without some steps gives the same uids.
final class StepRandom: Sendable {
  private let generator = NIOLockedValueBox(SeededGenerator(seed: 0))

  func begin(_ step: Int) {
    generator.withLockedValue { $0 = SeededGenerator(seed: UInt64(step) &* 0x9E37_79B9) }
  }

  func next() -> UInt64 { generator.withLockedValue { $0.next() } }
}
