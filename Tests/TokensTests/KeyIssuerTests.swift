import AuthCore
import Testing

@testable import Tokens

/// Tenants that publish their keys in one set, as Microsoft's do.
@Suite struct `Issuers of keys` {
  private static let host = "https://login.example"
  private static let work = "11111111-1111-4111-8111-111111111111"
  private static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

  private let key = IssuerKey.p256("key")

  private static func issuer(_ tenant: String) -> String { "\(host)/\(tenant)/v2.0" }

  /// A verifier that trusts both tenants, with a key set whose key has the given issuer.
  private func bench(_ issuer: JSONValue?, _ rule: KeyIssuerRule = .sameAsToken) -> TokenBench {
    bench([key.jwk(adding: issuer.map { ["issuer": $0] } ?? [:])], rule)
  }

  private func bench(_ keys: [JSONValue], _ rule: KeyIssuerRule) -> TokenBench {
    var bench = TokenBench(keys)
    bench.declaration.issuers = [Self.issuer(Self.work), Self.issuer(Self.consumers)]
    bench.declaration.keyIssuer = rule
    return bench
  }

  private func token(_ bench: TokenBench, _ tenant: String, tid: JSONValue? = nil) -> String {
    bench.token(
      key, "ES256",
      ["iss": .string(Self.issuer(tenant)), "tid": tid ?? .string(tenant)])
  }

  @Test func `a key signs for the issuer that its set names`() async throws {
    let bench = bench(.string(Self.issuer(Self.work)))
    let claims = try await bench.verify(token(bench, Self.work))
    #expect(claims.issuer == Self.issuer(Self.work))
  }

  @Test func `attack 7: a key of the consumers' tenant signs for no organisation`() async throws {
    let bench = bench(.string(Self.issuer(Self.consumers)))
    _ = try await bench.verify(token(bench, Self.consumers))
    let message = await bench.refuses(token(bench, Self.work), field: "kid")
    #expect(message == "The key that signed the ID token is for another issuer.")
    // The claim `tid` does not change whose key it is.
    await bench.refuses(
      token(bench, Self.work, tid: .string(Self.consumers)), field: "kid")
  }

  @Test func `the place of the tenant stands for the token's tenant`() async throws {
    let bench = bench(.string("\(Self.host)/{tenantid}/v2.0"))
    for tenant in [Self.work, Self.consumers] {
      _ = try await bench.verify(token(bench, tenant))
    }
  }

  @Test func `attack 7: another tenant than the issuer's does not fill the place`() async {
    let bench = bench(.string("\(Self.host)/{tenantid}/v2.0"))
    let tenants: [JSONValue] = [
      .string(Self.consumers), "", .null, 1, .string("{tenantid}"), .string("../\(Self.work)"),
    ]
    for tenant in tenants {
      await bench.refuses(token(bench, Self.work, tid: tenant), field: "kid")
    }
  }

  @Test func `attack 7: a place on another host is another issuer`() async {
    let bench = bench("https://login.stranger.example/{tenantid}/v2.0")
    await bench.refuses(token(bench, Self.work), field: "kid")
  }

  @Test func `a key without an issuer signs for every issuer of the declaration`() async throws {
    let bench = bench(nil)
    _ = try await bench.verify(token(bench, Self.work))
    _ = try await bench.verify(token(bench, Self.consumers))
  }

  @Test(arguments: [1, .null, [], "", ["https://login.example/{tenantid}/v2.0"]] as [JSONValue])
  func `attack 7: a key whose issuer is no text signs for nobody`(issuer: JSONValue) async {
    let bench = bench(issuer)
    await bench.refuses(token(bench, Self.work), field: "kid")
  }

  @Test func `a key that is listed for two issuers signs for both, and for no third`() async throws
  {
    let entries = [Self.work, Self.consumers].map {
      key.jwk(adding: ["issuer": .string(Self.issuer($0))])
    }
    var bench = bench(entries, .sameAsToken)
    bench.declaration.issuers.append(Self.issuer("third"))
    _ = try await bench.verify(token(bench, Self.work))
    _ = try await bench.verify(token(bench, Self.consumers))
    await bench.refuses(token(bench, "third"), field: "kid")
  }

  @Test func `the issuer of a key counts only if the declaration says so`() async throws {
    let bench = bench(.string(Self.issuer(Self.consumers)), .any)
    _ = try await bench.verify(token(bench, Self.work))
    #expect(
      IDTokenDeclaration(
        issuers: [], audiences: [], keys: .fixed([]), algorithms: [], nonce: .none
      ).keyIssuer == .any)
  }

  @Test func `the signature comes first, so a stranger learns nothing of keys`() async {
    let bench = bench(.string(Self.issuer(Self.consumers)))
    let stranger = IssuerKey.p256("key")
    let forged = bench.token(
      stranger, "ES256", ["iss": .string(Self.issuer(Self.work)), "tid": .string(Self.work)])
    await bench.refuses(forged, field: "idToken")
  }
}
