import AuthCore
import FakeVendors

/// A provider with an issuer that accepts every credential; configured like an OIDC provider, without a network.
struct IssuerProvider: AuthProvider {
  static let name = ProviderID("issuer.example")

  let id = Self.name

  var manifest: ProviderManifest {
    ProviderManifest(
      name: "Issuer", kind: .oidc, builders: FakeProvider(id: id).manifest.builders,
      configuration: [
        ConfigurationField(
          "issuer", .text, required: true, namesSubjects: true, "whose subjects they are"),
        ConfigurationField(
          "clientID", .text, namesSubjects: true,
          sharedIf: ConfigurationField.SharedSubjects("subjectType", is: "public"), "the client"),
        ConfigurationField("subjectType", .text, "public or pairwise"),
        ConfigurationField("clientSecret", .secret, "the client's secret"),
      ])
  }

  func verify(
    _ credential: Credential, _ context: VerificationContext
  ) async throws -> VerifiedIdentity {
    _ = try context.settings.required("issuer")
    return try await FakeProvider(id: id).verify(credential, context)
  }
}

extension TestHome {
  static let issuer = IssuerProvider.name

  /// Configures the provider with an issuer.
  func setUp(_ issuer: String, _ more: [String: JSONValue] = [:]) async throws {
    var values = more
    values["issuer"] = .string(issuer)
    _ = try await graph.configure(Self.issuer, values: values, by: admin)
  }

  func forget(_ provider: ProviderID = issuer, force: Bool = true) async throws {
    _ = try await graph.forgetConfiguration(of: provider, force: force, by: admin)
  }

  /// Makes an anonymous account and its caller.
  func anonymous() async throws -> (account: Account, caller: Caller) {
    let account = try await signIn(graph.providers.credential(.anonymous, [:])).account
    return (account, session(account.id))
  }

  func close(_ providers: Set<ProviderID>) async throws {
    _ = try await graph.changeSettings(by: admin) { $0.signIn.closedProviders = providers }
  }
}
