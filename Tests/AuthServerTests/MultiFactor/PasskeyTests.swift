import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct PasskeyTests {
  private static let enrollment = "/v2/accounts/passkeyEnrollment"
  private static let signIn = "/v2/accounts/passkeySignIn"

  @Test func `production has no passkeys`() async throws {
    try await withServer(.production) { home in
      for operation in ["passkeyEnrollment:start", "passkeySignIn:finalize"] {
        let reply = try await home.post("/v2/accounts/\(operation)")
        #expect(reply.message == "OPERATION_NOT_ALLOWED : Passkeys are not supported.")
      }
    }
  }

  @Test func `the emulator takes keys on their word`() async throws {
    try await withServer(.emulator) { home in
      let ada = try await home.person()
      let begun = try await home.post(
        "\(Self.enrollment):start", ["idToken": .string(ada.idToken)])
      let options = try #require(begun.json["credentialCreationOptions"])
      #expect(options["rp"]?["id"] == "localhost")
      #expect(options["user"]?["name"] == "ada@example.com")
      #expect(options["challenge"]?.stringValue?.isEmpty == false)
      #expect(options["timeout"] == 60000)
      #expect(options["attestation"] == "none")

      let enrolled = try await home.post(
        "\(Self.enrollment):finalize",
        [
          "idToken": .string(ada.idToken), "name": "my key",
          "authenticatorRegistrationResponse": ["id": "key-1"],
        ])
      #expect(enrolled.status == 200, "\(enrolled.text)")
      #expect(try enrolled.text("localId") == ada.uid)
      let user = try await home.lookUp(try enrolled.text("idToken"))
      #expect(user["passkeyInfo"] == [["credentialId": "key-1", "name": "my key"]])

      let asked = try await home.post("\(Self.signIn):start")
      #expect(asked.json["credentialRequestOptions"]?["userVerification"] == "required")
      let entered = try await home.post(
        "\(Self.signIn):finalize", ["authenticatorAuthenticationResponse": ["id": "key-1"]])
      #expect(entered.status == 200, "\(entered.text)")
      let claims = try claims(of: try entered.text("idToken"))
      #expect(claims["sub"] == .string(ada.uid))
      #expect(claims["firebase"]?["sign_in_provider"] == "passkey")
    }
  }

  @Test func `requests that lack something are refused`() async throws {
    try await withServer(.emulator) { home in
      let ada = JSONValue.string(try await home.person().idToken)
      let bo = JSONValue.string(try await home.person("bo@example.com").idToken)
      let key: JSONValue = ["id": "key-1"]
      _ = try await home.post(
        "\(Self.enrollment):finalize",
        ["idToken": ada, "authenticatorRegistrationResponse": key])
      let table: [(String, JSONValue, String)] = [
        ("\(Self.enrollment):start", [:], "MISSING_ID_TOKEN"),
        // The response is read before the token.
        ("\(Self.enrollment):finalize", [:], "MISSING_AUTHENTICATOR_RESPONSE"),
        ("\(Self.enrollment):finalize", ["idToken": "x"], "MISSING_AUTHENTICATOR_RESPONSE"),
        (
          "\(Self.enrollment):finalize", ["authenticatorRegistrationResponse": key],
          "MISSING_ID_TOKEN"
        ),
        (
          "\(Self.enrollment):finalize",
          ["idToken": ada, "authenticatorRegistrationResponse": [:]], "INVALID_CREDENTIAL_ID"
        ),
        (
          "\(Self.enrollment):finalize",
          ["idToken": bo, "authenticatorRegistrationResponse": key], "CREDENTIAL_ALREADY_IN_USE"
        ),
        ("\(Self.signIn):finalize", [:], "MISSING_AUTHENTICATOR_RESPONSE"),
        (
          "\(Self.signIn):finalize", ["authenticatorAuthenticationResponse": [:]],
          "INVALID_CREDENTIAL_ID"
        ),
        (
          "\(Self.signIn):finalize", ["authenticatorAuthenticationResponse": ["id": "none"]],
          "PASSKEY_CREDENTIAL_NOT_FOUND"
        ),
      ]
      for (path, body, message) in table {
        #expect(try await home.post(path, body).message == message, "\(path)")
      }
      let uid = try await home.lookUp(ada.stringValue ?? "")["localId"]?.stringValue ?? ""
      _ = try await home.graph.setDisabled(true, AccountID(uid), by: home.admin)
      #expect(
        try await home.post(
          "\(Self.signIn):finalize", ["authenticatorAuthenticationResponse": key]
        ).message == "USER_DISABLED")
    }
  }

  @Test func `an account has several keys`() async throws {
    try await withServer(.emulator) { home in
      var token = try await home.person().idToken
      for id in ["key-1", "key-2"] {
        let reply = try await home.post(
          "\(Self.enrollment):finalize",
          [
            "idToken": .string(token),
            "authenticatorRegistrationResponse": ["id": .string(id)],
          ])
        token = try reply.text("idToken")
      }
      #expect(
        try await home.lookUp(token)["passkeyInfo"] == [
          ["credentialId": "key-1", "name": "Unnamed Passkey"],
          ["credentialId": "key-2", "name": "Unnamed Passkey"],
        ])
    }
  }
}
