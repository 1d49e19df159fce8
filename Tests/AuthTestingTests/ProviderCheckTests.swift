import AuthCore
import FakeVendors
import ProviderChecks
import Testing

@Suite struct ProviderCheckTests {
  /// A provider that breaks every promise that a check can see.
  private struct Careless: AuthProvider {
    var id = ProviderID("careless")
    var fields = [CredentialField("token", "proves who it is")]
    var name = "Careless"
    var hosts: [String] = []
    var issuers: [String] = []

    var manifest: ProviderManifest {
      ProviderManifest(
        name: name, kind: .custom, builders: [CredentialBuilder("credential", fields: fields)],
        hosts: hosts, issuers: issuers)
    }

    func verify(
      _ credential: Credential, _ context: VerificationContext
    ) async throws -> VerifiedIdentity {
      VerifiedIdentity(provider: id, key: IdentityKey(id, subject: "anybody"))
    }
  }

  @Test func `a provider that believes any credential is caught`() async {
    let caught = await broken(Careless())

    #expect(
      caught == [
        "an empty credential is refused, with the step at which it broke",
        "a credential of a builder that does not exist is refused",
        "a credential whose fields are all empty is refused", "many may be refused at once",
      ])
  }

  @Test func `an error without a step is caught`() async {
    struct Stepless: AuthProvider {
      let id = ProviderID("stepless")
      var manifest: ProviderManifest { FakeProvider(id: id).manifest }

      func verify(
        _ credential: Credential, _ context: VerificationContext
      ) async throws -> VerifiedIdentity {
        throw AuthError(.invalidCredential, "No.")
      }
    }

    #expect(
      await broken(Stepless()).contains(
        "an empty credential is refused, with the step at which it broke"))
  }

  @Test func `a wrong manifest is caught`() async {
    let field = CredentialField("token", "")

    #expect(await broken(Careless(id: ProviderID("Care Less"))).count == 5)
    #expect(await broken(Careless(fields: [field])).count == 5)
    #expect(await broken(Careless(name: "")).count == 5)
    #expect(await broken(Careless(hosts: ["https://example.com/"])).count == 5)
    #expect(await broken(Careless(issuers: [""])).count == 5)
  }

  private func broken(_ provider: any AuthProvider) async -> [String] {
    var broken: [String] = []
    for promise in ProviderCheck.all {
      do {
        try await promise.run(provider)
      } catch {
        broken.append(promise.description)
      }
    }
    return broken
  }
}
