import AuthCore
import AuthTesting
import FakeVendors
import HTTPClientTransport
import Testing

/// Connects to a vendor over real sockets, and closes them afterwards.
func overLoopback<Vendor: FakeVendor>(
  to vendor: Vendor, _ body: (Vendor, HTTPClientTransport) async throws -> Void
) async throws {
  let transport = HTTPClientTransport()
  let outcome: Result<Void, any Error>
  do {
    outcome = .success(try await body(vendor, transport))
  } catch {
    outcome = .failure(error)
  }
  try await transport.shutdown()
  await vendor.stop()
  try outcome.get()
}

extension AuthorizationFlow {
  /// Signs a person in at a vendor's browser, and returns the credential that the callback makes.
  func signIn(
    _ person: FakePerson, at vendor: some FakeVendor, _ settings: ProviderSettings,
    parameters: [String: String] = [:]
  ) async throws -> [String: String] {
    let grant = AuthorizationGrant(
      state: "state of \(person.subject)", nonce: "nonce of \(person.subject)",
      codeVerifier: Secret("verifier-of-a-sign-in-0123456789-0123456789-0123456789"),
      redirectURI: "https://app.example/callback", parameters: parameters)
    let url = try await authorizationURL(grant, .test(settings, at: .now()))
    let answer = try await vendor.authorize(url, as: person)
    #expect(answer.state == grant.state)
    #expect(answer.redirectURI == grant.redirectURI)
    return [
      "code": try #require(answer.code), "redirectURI": grant.redirectURI, "nonce": grant.nonce,
      "codeVerifier": grant.codeVerifier.reveal(),
    ]
  }
}
