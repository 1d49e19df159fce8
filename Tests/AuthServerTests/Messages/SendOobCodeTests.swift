import AuthCore
import AuthTesting
import Foundation
import Testing

@testable import IdentityToolkitService

@Suite struct SendOobCodeTests {
  private static let path = "/v1/accounts:sendOobCode"

  /// A request, and its error in each mode.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let body: JSONValue
    let production: String
    var emulator: String?
    var testDescription: String { "\(production): \(body.text)" }
  }

  static let refusals = [
    Refusal(body: [:], production: "MISSING_REQ_TYPE"),
    Refusal(body: ["requestType": "OOB_REQ_TYPE_UNSPECIFIED"], production: "MISSING_REQ_TYPE"),
    Refusal(body: ["requestType": 0], production: "MISSING_REQ_TYPE"),
    Refusal(
      body: ["requestType": "PASSWORD_RESET", "returnOobLink": true, "email": "ada@example.com"],
      production: "INSUFFICIENT_PERMISSION"),
    Refusal(
      body: [
        "requestType": "PASSWORD_RESET", "continueUrl": "not a url", "email": "a@example.com",
      ],
      production: "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))"),
    Refusal(body: ["requestType": "PASSWORD_RESET"], production: "MISSING_EMAIL"),
    Refusal(body: ["requestType": "EMAIL_SIGNIN"], production: "MISSING_EMAIL"),
    Refusal(
      body: ["requestType": "EMAIL_SIGNIN", "email": "nobody"], production: "INVALID_EMAIL"),
    Refusal(body: ["requestType": "VERIFY_EMAIL"], production: "INVALID_ID_TOKEN"),
    Refusal(
      body: ["requestType": "VERIFY_EMAIL", "idToken": "x"], production: "INVALID_ID_TOKEN"),
    Refusal(body: ["requestType": "VERIFY_AND_CHANGE_EMAIL"], production: "MISSING_NEW_EMAIL"),
    Refusal(
      body: ["requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "new@example.com"],
      production: "MISSING_ID_TOKEN"),
    Refusal(
      body: ["requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "nobody"],
      production: "INVALID_NEW_EMAIL"),
  ]

  @Test(arguments: ServerMode.allCases)
  func `requests that lack something are refused`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      for refusal in Self.refusals {
        let reply = try await home.post(Self.path, refusal.body)
        #expect(reply.status == 400)
        let expected =
          mode == .emulator ? refusal.emulator ?? refusal.production : refusal.production
        #expect(reply.message == expected, "\(refusal.body.text)")
      }
      #expect(home.messages.messages.isEmpty)
    }
  }

  @Test func `production refuses unknown apps and domains`() async throws {
    try await withServer(.production) { home in
      let table: [(String, JSONValue, String)] = [
        ("canHandleCodeInApp", true, "MISSING_CONTINUE_URI"),
        ("androidInstallApp", true, "MISSING_ANDROID_PACKAGE_NAME"),
        ("androidMinimumVersion", "12", "MISSING_ANDROID_PACKAGE_NAME"),
        ("iOSAppStoreId", "123", "MISSING_IOS_BUNDLE_ID"),
        (
          "linkDomain", "evil.example",
          "INVALID_HOSTING_LINK_DOMAIN : The linkDomain is not one of the project's link domains."
        ),
        (
          "dynamicLinkDomain", "x.page.link",
          "INVALID_DYNAMIC_LINK_DOMAIN : There are no dynamic links."
        ),
      ]
      for (name, value, message) in table {
        let reply = try await home.post(
          Self.path,
          .object(["requestType": "EMAIL_SIGNIN", "email": "ada@example.com", name: value]))
        #expect(reply.message == message)
      }
      let unknown = try await home.post(
        Self.path, ["requestType": "EMAIL_SIGNIN", "email": "ada@example.com", "emial": "x"])
      #expect(
        unknown.message
          == "Invalid JSON payload received. Unknown name \"emial\": Cannot find field.")
      for type in ["RECOVER_EMAIL", "OLD_EMAIL_AGREE"] {
        let reply = try await home.post(
          Self.path, ["requestType": .string(type), "email": "ada@example.com"])
        #expect(reply.message == "INVALID_REQ_TYPE")
      }
    }
  }

  @Test func `the emulator has no codes of other types`() async throws {
    try await withServer(.emulator) { home in
      for type in [
        "RECOVER_EMAIL", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", "REVERT_SECOND_FACTOR_ADDITION",
      ] {
        let reply = try await home.post(Self.path, ["requestType": .string(type)])
        #expect(reply.status == 501)
      }
      let unknown = try await home.post(Self.path, ["requestType": "FLY"])
      #expect(unknown.status == 400)
      #expect(unknown.json["error"]?["status"] == "INVALID_ARGUMENT")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a client's code is sent and not given`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      _ = try await home.person()
      let reply = try await home.post(
        Self.path, ["requestType": "PASSWORD_RESET", "email": "ADA@example.com"])

      #expect(
        reply.json == [
          "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": "ada@example.com",
        ])
      let message = try #require(home.messages.last(to: "ada@example.com"))
      #expect(message.kind == .resetPassword)
      let fields = parameters(of: message.proof.reveal())
      #expect(fields["mode"] == "resetPassword")
      #expect(fields["lang"] == "en")
      #expect(fields["oobCode"]?.count == 54)
      #expect(fields["apiKey"] == (mode == .emulator ? "fake-api-key" : "test-key"))
      #expect(fields["continueUrl"] == nil)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an admin gets the link, and nothing is sent`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      _ = try await home.person(verified: false)
      let types = [
        "PASSWORD_RESET": "resetPassword", "VERIFY_EMAIL": "verifyEmail",
        "EMAIL_SIGNIN": "signIn", "VERIFY_AND_CHANGE_EMAIL": "verifyAndChangeEmail",
      ]
      for (type, linkMode) in types {
        let reply = try await home.admin(
          "POST", "/v1/projects/\(ServerHome.project)/accounts:sendOobCode",
          [
            "requestType": .string(type), "email": "ada@example.com", "returnOobLink": true,
            "newEmail": "new@example.com", "continueUrl": "http://localhost/app?a=b",
          ])
        #expect(reply.status == 200, "\(reply.text)")
        #expect(try reply.text("email") == "ada@example.com")
        let link = try reply.text("oobLink")
        #expect(
          link.hasPrefix(
            "http://localhost:9099/" + (mode == .emulator ? "emulator" : "__/auth") + "/action?"))
        let fields = parameters(of: link)
        #expect(fields["oobCode"] == (try reply.text("oobCode")))
        #expect(fields["mode"] == linkMode)
        #expect(fields["continueUrl"] == "http://localhost/app?a=b")
      }
      #expect(home.messages.messages.isEmpty)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an admin is told that an address has no account`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let path = "/v1/projects/\(ServerHome.project)/accounts:sendOobCode"
      let table = ["PASSWORD_RESET": "EMAIL_NOT_FOUND", "VERIFY_EMAIL": "USER_NOT_FOUND"]
      for (type, message) in table {
        let reply = try await home.admin(
          "POST", path,
          ["requestType": .string(type), "email": "no@example.com", "returnOobLink": true])
        #expect(reply.message == message)
      }
      let missing = try await home.admin(
        "POST", path, ["requestType": "VERIFY_EMAIL", "returnOobLink": true])
      #expect(missing.message == "MISSING_EMAIL")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `accounts are hidden from clients if the settings say so`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      let body: JSONValue = ["requestType": "PASSWORD_RESET", "email": "no@example.com"]
      for hides in [true, false] {
        // The emulator creates its project with default settings when it is first named.
        _ = try await home.post(Self.path)
        try await home.change { $0.signIn.hidesAccounts = hides }
        let reply = try await home.post(Self.path, body)
        if hides {
          #expect(reply.status == 200)
          #expect(
            reply.json == [
              "kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": "no@example.com",
            ])
        } else {
          #expect(reply.message == "EMAIL_NOT_FOUND")
        }
      }
      #expect(home.messages.messages.isEmpty)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a session's code goes to its own address`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.person(verified: false)
      let reply = try await home.post(
        Self.path,
        [
          "requestType": "VERIFY_EMAIL", "idToken": .string(ada.idToken),
          "email": "eve@example.com",
        ])
      #expect(try reply.text("email") == "ada@example.com")
      #expect(home.messages.last()?.recipient == "ada@example.com")
      #expect(home.messages.last()?.kind == .verifyEmail)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a change of address is confirmed by the new one, which no other account may have`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      _ = try await home.person("bo@example.com")
      let ada = try await home.person()
      let taken = try await home.post(
        Self.path,
        [
          "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": .string(ada.idToken),
          "newEmail": "bo@example.com",
        ])
      #expect(taken.message == "EMAIL_EXISTS")
      let reply = try await home.post(
        Self.path,
        [
          "requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": .string(ada.idToken),
          "newEmail": "New@example.com",
        ])
      #expect(try reply.text("email") == "ada@example.com")
      #expect(home.messages.last()?.recipient == "new@example.com")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an account without an address has none to verify`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let token = try await home.post("/v1/accounts:signUp").text("idToken")
      for (type, more) in [
        ("VERIFY_EMAIL", [:]), ("VERIFY_AND_CHANGE_EMAIL", ["newEmail": "new@example.com"]),
      ] as [(String, [String: JSONValue])] {
        var body = more
        body["requestType"] = .string(type)
        body["idToken"] = .string(token)
        #expect(try await home.post(Self.path, .object(body)).message == "MISSING_EMAIL")
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `links sign in only if that is open`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      _ = try await home.post(Self.path)
      try await home.change { $0.signIn.closedProviders = [.emailLink] }
      let reply = try await home.post(
        Self.path, ["requestType": "EMAIL_SIGNIN", "email": "ada@example.com"])
      #expect(reply.code == "OPERATION_NOT_ALLOWED")
      #expect((reply.message == reply.code) == (mode == .emulator), "\(reply.text)")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `links lead on to the project's domains alone, save in the emulator`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      _ = try await home.post(Self.path)
      try await home.change { $0.signIn.authorizedDomains = ["app.example.com"] }
      let table = [
        "https://app.example.com/finish?x=1#top": true, "http://localhost:3000/": true,
        "https://evil.example/": false, "https://app.example.com.evil.example/": false,
        "https://app.example.com@evil.example/": false, "javascript://localhost/%0aalert(1)": false,
      ]
      for (url, isAllowed) in table {
        let reply = try await home.post(
          Self.path,
          ["requestType": "EMAIL_SIGNIN", "email": "ada@example.com", "continueUrl": .string(url)])
        if isAllowed {
          #expect(reply.status == 200)
          let link = try #require(home.messages.last()).proof.reveal()
          #expect(parameters(of: link)["continueUrl"] == url)
        } else if mode == .production {
          let code = reply.message?.split(separator: " ").first
          #expect(code == "UNAUTHORIZED_DOMAIN" || code == "INVALID_CONTINUE_URI", "\(url)")
        }
      }
    }
  }

  @Test func `the person's language is that of the request`() async throws {
    try await withServer(.production) { home in
      _ = try await home.person()
      _ = try await home.call(
        "POST", "\(Self.path)?key=test-key",
        ["requestType": "PASSWORD_RESET", "email": "ada@example.com"],
        headers: ["X-Firebase-Locale": "pt-BR"])
      let message = try #require(home.messages.last())
      #expect(message.locale == "pt-BR")
      #expect(parameters(of: message.proof.reveal())["lang"] == "pt-BR")
      _ = try await home.call(
        "POST", "\(Self.path)?key=test-key",
        ["requestType": "PASSWORD_RESET", "email": "ada@example.com"],
        headers: ["X-Firebase-Locale": "\"><script>"])
      #expect(parameters(of: try #require(home.messages.last()).proof.reveal())["lang"] == "en")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `older clients ask in their own way`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let reply = try await home.post(
        "/identitytoolkit/v3/relyingparty/getOobConfirmationCode",
        [
          "request_type": 6, "email": "ada@example.com", "can_handle_code_in_app": true,
          "continue_url": "http://localhost/app",
        ])
      #expect(reply.status == 200, "\(reply.text)")
      #expect(home.messages.last()?.kind == .emailLink)
    }
  }

  @Test func `the emulator lists codes until they are used`() async throws {
    try await withServer(.emulator) { home in
      _ = try await home.person()
      let first = try await home.link(
        "PASSWORD_RESET", to: "ada@example.com", ["continueUrl": "http://localhost/x"])
      home.clock.advance(seconds: 1)
      let second = try await home.link("EMAIL_SIGNIN", to: "bo@example.com")

      let codes = try await home.listed("oobCodes")
      #expect(codes.map { $0["oobLink"]?.stringValue } == [first, second])
      #expect(
        codes.first == [
          "email": "ada@example.com", "requestType": "PASSWORD_RESET",
          "oobCode": .string(try #require(parameters(of: first)["oobCode"])),
          "oobLink": .string(first),
        ])
      _ = try await home.post(
        "/v1/accounts:resetPassword",
        ["oobCode": try #require(codes.first?["oobCode"]), "newPassword": "another one"])
      #expect(try await home.listed("oobCodes").count == 1)
      #expect(
        try await home.call("GET", "/emulator/v1/projects/other/tenants/t1/oobCodes").json
          == ["oobCodes": []])
    }
  }

  @Test func `production lists no codes`() async throws {
    try await withServer(.production) { home in
      for list in ["oobCodes", "verificationCodes"] {
        let reply = try await home.admin(
          "GET", "/emulator/v1/projects/\(ServerHome.project)/\(list)")
        #expect(reply.status == 404)
      }
    }
  }
}
