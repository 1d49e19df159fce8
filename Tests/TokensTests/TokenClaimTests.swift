import AuthCore
import Testing
import TestSupport

@testable import Tokens

@Suite struct TokenClaimTests {
  let key = IssuerKey.p256()

  @Test func `attack 7: a foreign issuer is refused, and nothing is fetched`() async {
    let bench = TokenBench([key.jwk()])
    let foreign: [JSONValue?] = [
      "https://attacker.example", "https://issuer.example/", "https://ISSUER.example",
      "https://issuer.example\u{301}", "", nil, 1, ["https://issuer.example"],
    ]
    for issuer in foreign {
      await bench.refuses(bench.token(key, "ES256", ["iss": issuer]), field: "iss")
    }
    #expect(bench.transport.count == 0)
  }

  @Test func `each declared issuer is believed`() async throws {
    var bench = TokenBench([key.jwk()])
    bench.declaration.issuers = ["accounts.example", TokenBench.issuer]
    for issuer in bench.declaration.issuers {
      let claims = try await bench.verify(bench.token(key, "ES256", ["iss": .string(issuer)]))
      #expect(claims.issuer == issuer)
    }
  }

  @Test func `attack 14: a token for another client is refused`() async {
    let bench = TokenBench([key.jwk()])
    let foreign: [JSONValue?] = [
      "client-2", "client-1 ", "CLIENT-1", "", nil, 1, .null, [], ["client-2", "client-3"],
      ["client-1", 1], .object(["client-1": true]),
    ]
    for audience in foreign {
      await bench.refuses(bench.token(key, "ES256", ["aud": audience]), field: "aud")
    }
  }

  @Test func `attack 14: a token that another client asked for is refused`() async throws {
    var bench = TokenBench([key.jwk()])
    let many: JSONValue = ["client-1", "client-2"]
    await bench.refuses(bench.token(key, "ES256", ["aud": many]), field: "azp")
    for party: JSONValue in ["client-2", "", 1, .null, ["client-1"]] {
      await bench.refuses(bench.token(key, "ES256", ["azp": party]), field: "azp")
      await bench.refuses(bench.token(key, "ES256", ["aud": many, "azp": party]), field: "azp")
    }
    _ = try await bench.verify(bench.token(key, "ES256", ["aud": many, "azp": "client-1"]))
    bench.declaration.audiences = ["client-1", "client-2"]
    let claims = try await bench.verify(bench.token(key, "ES256", ["azp": "client-2"]))
    #expect(claims.authorizedParty == "client-2")
  }

  @Test func `no audience and no issuer declared means no token`() async {
    var bench = TokenBench([key.jwk()])
    bench.declaration.audiences = [""]
    await bench.refuses(bench.token(key, "ES256", ["aud": ""]), field: "aud")
    bench.declaration.issuers = []
    await bench.refuses(bench.token(key, "ES256"), field: "iss")
  }

  @Test func `times are kept to the second, with the leeway that is declared`() async throws {
    let bench = TokenBench([key.jwk()])
    let now = bench.now
    let good: [[String: JSONValue?]] = [
      ["exp": .integer(now - 59)], ["iat": .integer(now + 60)], ["nbf": .integer(now + 60)],
      ["exp": .number(Double(now) + 1)], ["exp": .integer(253_402_300_799)], ["nbf": nil],
    ]
    for changes in good { _ = try await bench.verify(bench.token(key, "ES256", changes)) }
    let fraction = bench.claims(["exp": nil]).dropLast() + ",\"exp\":\(now + 1).0}"
    let header = #"{"alg":"ES256","kid":"ec"}"#
    _ = try await bench.verify(
      TokenBench.token(header: header, claims: String(fraction), key.sign))
    let bad: [(String, JSONValue?)] = [
      ("exp", .integer(now - 60)), ("iat", .integer(now + 61)), ("nbf", .integer(now + 61)),
      ("exp", nil), ("iat", nil), ("exp", "1750000000"), ("exp", .number(Double(now) - 60.5)),
      ("exp", .integer(-1)), ("exp", .integer(.max)), ("exp", .integer(.min)),
      ("exp", .number(1e300)), ("iat", true), ("nbf", .null), ("nbf", .integer(.max)),
    ]
    for (name, value) in bad {
      await bench.refuses(bench.token(key, "ES256", [name: value]), field: name)
    }
  }

  @Test func `a token that is too old is refused if an age is declared`() async throws {
    var bench = TokenBench([key.jwk()])
    let old = bench.token(key, "ES256", ["iat": .integer(bench.now - 700)])
    _ = try await bench.verify(old)
    bench.declaration.maximumAge = 600
    await bench.refuses(old, field: "iat")
    _ = try await bench.verify(bench.token(key, "ES256", ["iat": .integer(bench.now - 600)]))
  }

  @Test func `a subject is a text, and each other value is refused in its own words`() async throws
  {
    let bench = TokenBench([key.jwk()])
    let long = String(repeating: "s", count: 256)
    let wrong: [JSONValue?] = [
      nil, "", .string(long), "a\u{0}b", 583_231, .integer(9_007_199_254_740_993), .null,
    ]
    var messages: Set<String> = []
    for subject in wrong {
      let token = bench.token(key, "ES256", ["sub": subject])
      messages.insert(await bench.refuses(token, field: "sub"))
    }
    #expect(messages.count == wrong.count)
    let huge = bench.claims(["sub": nil]).dropLast() + #","sub":184467440737095516160}"#
    await bench.refuses(
      TokenBench.token(
        header: #"{"alg":"ES256","kid":"ec"}"#, claims: String(huge), key.sign), field: "sub")
    let claims = try await bench.verify(
      bench.token(key, "ES256", ["sub": .string(String(long.dropLast()))]))
    #expect(claims.subject.count == 255)
  }

  @Test func `only a true email_verified counts`() async throws {
    var bench = TokenBench([key.jwk()])
    let email: JSONValue = "ada@example.com"
    let untrue: [JSONValue?] = [false, "false", nil, .null, 1, "1", "yes", "TRUE", [true], ""]
    for value in untrue + ["true"] {
      let token = bench.token(key, "ES256", ["email": email, "email_verified": value])
      #expect(try await bench.verify(token).emailVerified == false)
    }
    let good = bench.token(key, "ES256", ["email": email, "email_verified": true])
    #expect(try await bench.verify(good).emailVerified)
    let nobody = bench.token(key, "ES256", ["email_verified": true])
    #expect(try await bench.verify(nobody).emailVerified == false)

    bench.declaration.booleansMayBeText = true
    for value in untrue {
      let token = bench.token(key, "ES256", ["email": email, "email_verified": value])
      #expect(try await bench.verify(token).emailVerified == false)
    }
    let claims = try await bench.verify(
      bench.token(
        key, "ES256",
        ["email": email, "email_verified": "true", "is_private_email": "true", "other": "no"]))
    #expect(claims.emailVerified)
    #expect(claims.flag("is_private_email"))
    #expect(!claims.flag("other"))
    #expect(!claims.flag("absent"))
  }

  @Test func `a token of another type is refused`() async throws {
    let bench = TokenBench([key.jwk()])
    for type: JSONValue in ["at+jwt", "logout+jwt", "application/at+jwt", "JOSE", "", 1, .null] {
      await bench.refuses(bench.token(key, "ES256", header: ["typ": type]), field: "typ")
    }
    for type: JSONValue in ["jwt", "application/jwt"] {
      _ = try await bench.verify(bench.token(key, "ES256", header: ["typ": type]))
    }
  }
}
