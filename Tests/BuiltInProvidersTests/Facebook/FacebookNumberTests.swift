import AuthCore
import AuthTesting
import BuiltInProviders
import Testing

/// Values that are numbers in Facebook's documentation and texts in its answers.
@Suite struct `Numbers of Facebook` {
  let fields = ["accessToken": "EAAB-secret"]

  private func verify(
    _ debug: [String: JSONValue?], me: [String: JSONValue?] = [:], appID: String = "4711"
  ) async throws -> VerifiedIdentity {
    try await FacebookFixture(debug: debug, me: me).provider.verify(
      "accessToken", fields, FacebookFixture.settings(["appID": .string(appID)]))
  }

  @Test func `P11: the app and the person may be numbers, with all of their digits`() async throws {
    let documented = try await verify(
      [
        "app_id": 138_483_919_580_948, "user_id": "110011001100010", "issued_at": 1_347_235_328,
        "expires_at": 1_998_000_000,
      ], me: ["id": "110011001100010"], appID: "138483919580948")
    let large = try await verify(
      ["app_id": 4711, "user_id": .integer(9_223_372_036_854_775_807)],
      me: ["id": .integer(9_223_372_036_854_775_807)])
    let odd = try await verify(
      ["user_id": .integer(9_007_199_254_740_993)], me: ["id": "9007199254740993"])

    #expect(documented.key?.subject == "110011001100010")
    #expect(large.key?.subject == "9223372036854775807")
    #expect(odd.key?.subject == "9007199254740993")
  }

  @Test(
    arguments: [
      ["app_id": 4712], ["app_id": .number(4711.5)], ["app_id": .number(4.711e20)],
      ["app_id": .integer(-4711)],
      ["app_id": ["4711"]], ["app_id": true], ["app_id": "4711.0"], ["app_id": "04711"],
      ["app_id": " 4711"], ["app_id": .null], ["user_id": .number(9.9e30)],
      ["user_id": .number(99.5)],
      ["user_id": 0], ["user_id": .integer(-99)], ["user_id": [99]], ["user_id": true],
      ["user_id": 100],
      ["expires_at": .number(Double(momentSeconds) - 0.5)],
      ["expires_at": .string("\(momentSeconds)")], ["expires_at": "soon"],
      ["expires_at": .integer(-1)],
      ["expires_at": true], ["expires_at": .integer(.max)], ["is_valid": 1],
    ] as [[String: JSONValue?]])
  func `P11: another number, or one that is none of Facebook's, is refused`(
    debug: [String: JSONValue?]
  ) async throws {
    let error = try await FacebookFixture(debug: debug).provider.refusal(
      "accessToken", fields, FacebookFixture.settings())

    #expect(error.code == .invalidCredential)
  }

  @Test func `P11: an expiry may be a text, have a fraction or be absent`() async throws {
    let ends: [JSONValue?] = [
      .number(Double(momentSeconds) + 0.5), .string("\(momentSeconds + 1)"), "0", 0, nil, .null,
    ]
    for end in ends {
      #expect(try await verify(["expires_at": end]).key?.subject == "99")
    }
  }

  @Test func `P11: neighbours beyond 2^53 stay two people`() async throws {
    await #expect(throws: AuthError.self) {
      try await verify(
        ["user_id": .integer(9_007_199_254_740_993)],
        me: ["id": .integer(9_007_199_254_740_992)])
    }
  }
}
