import AuthCore
import Testing
import TestSupport

@testable import BuiltInProviders

/// Harmless oddities of vendors' answers.
@Suite struct `Answers of vendors` {
  private func client(_ body: [UInt8], status: Int = 200) -> OAuthClient {
    OAuthClient(
      transport: CountingTransport(always: HTTPResponse(status: status, body: body)),
      endpoints: OAuthEndpoints(
        authorize: "https://id.example/authorize", token: "https://id.example/token",
        userInfo: "https://id.example/me"),
      clientID: "client-1", authentication: .none)
  }

  private func exchange(_ body: String, mark: [UInt8] = []) async throws -> String? {
    try await client(mark + Array(body.utf8))
      .exchange(code: "code-1234", redirectURI: "https://app.example/cb", codeVerifier: nil)
      .accessToken?.reveal()
  }

  @Test func `P12: a byte order mark before an answer is skipped, and no other one`() async throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    #expect(try await exchange(#"{"access_token":"at"}"#, mark: mark) == "at")
    await #expect(throws: AuthError.self) {
      try await exchange(#"{"access_token":"at"}"#, mark: mark + mark)
    }
    await #expect(throws: AuthError.self) {
      try await exchange(#"{"access_token":"at"}"#, mark: [0xFE, 0xFF])
    }
  }

  @Test(arguments: ["\"\"", "\" \"", "null", "false", "0"])
  func `P12: an empty error beside an access token is none`(_ error: String) async throws {
    #expect(try await exchange(#"{"access_token":"at","error":\#(error)}"#) == "at")
    // A refusal stays one, and does not end with an empty reason.
    let refusal = await #expect(throws: AuthError.self) {
      try await client(Array(#"{"error":\#(error)}"#.utf8), status: 400)
        .exchange(code: "code-1234", redirectURI: "https://app.example/cb", codeVerifier: nil)
    }
    #expect(refusal?.code == .invalidCredential)
    #expect(refusal?.message.contains("HTTP 400") == true)
  }

  @Test(arguments: [#""invalid_grant""#, "1", "true", "{}", "[]", #"{"message":"no"}"#])
  func `P12: any other error is one, even beside an access token`(_ error: String) async throws {
    let refusal = await #expect(throws: AuthError.self) {
      try await exchange(#"{"access_token":"at","error":\#(error)}"#)
    }
    #expect(refusal?.code == .invalidCredential)
  }

  @Test(arguments: [#"\ud83d"#, #"\ud83d x"#, #"\ude00"#, #"\ud83d\u0041"#, #"\ud83d\n"#])
  func `P12: half of a character is refused in words that say so`(_ text: String) async throws {
    let refusal = await #expect(throws: AuthError.self) {
      try await client(Array(#"{"sub":"1","name":"Ada \#(text)"}"#.utf8))
        .userInfo(accessToken: Secret("at"), expectedSubject: "1")
    }

    #expect(refusal?.code == .networkRequestFailed)
    #expect(refusal?.message.contains("half of a character") == true, "\(refusal?.message ?? "")")
  }
}
