import AuthCore
import AuthTesting
import Testing
import TestSupport

@testable import IdentityToolkitService

@Suite struct `Uploads of accounts` {
  @Test(arguments: ServerHome.both)
  func `an upload keeps its fields`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let claims = "{\"role\":\"editor\"}"
      let reply = try await home.upload([
        [
          "localId": "u1", "email": "Ada@Example.com", "emailVerified": true,
          "displayName": "Ada", "photoUrl": "https://example.com/ada.png",
          "phoneNumber": "+15555550100", "customAttributes": .string(claims), "disabled": true,
          "createdAt": "1500000000000", "lastLoginAt": "1600000000000",
          "providerUserInfo": [
            ["providerId": "google.com", "rawId": "g1", "email": "ada@gmail.com"],
            ["providerId": "github.com", "rawId": "h1", "federatedId": "h1"],
            ["providerId": "password", "rawId": "ignored@example.com"],
            ["providerId": "phone", "rawId": "+15555550999"],
          ],
          "mfaInfo": [["phoneInfo": "+15555550101", "displayName": "private"]],
        ]
      ])
      #expect(reply.status == 200, "\(reply.text)")
      #expect(reply.json["kind"] == "identitytoolkit#UploadAccountResponse")
      #expect(reply.json["error"]?.items.isEmpty ?? true)

      let users = try await home.admin("GET", "\(home.accountsPath):batchGet").json["users"]
      let user = try #require(users?.items.first)
      #expect(user["localId"] == "u1")
      #expect(user["email"] == "ada@example.com")
      #expect(user["emailVerified"] == true)
      #expect(user["displayName"] == "Ada")
      #expect(user["photoUrl"] == "https://example.com/ada.png")
      #expect(user["phoneNumber"] == "+15555550100")
      #expect(user["customAttributes"] == .string(claims))
      #expect(user["disabled"] == true)
      #expect(user["createdAt"] == "1500000000000")
      #expect(user["lastLoginAt"] == "1600000000000")
      #expect(user["validSince"] == .string("\(home.clock.now.milliseconds / 1000)"))
      let entries = user["providerUserInfo"]?.items ?? []
      #expect(
        Set(entries.compactMap { $0["providerId"]?.stringValue })
          == ["google.com", "github.com", "phone"])
      #expect(entries.first { $0["providerId"] == "phone" }?["rawId"] == "+15555550100")
      #expect(entries.first { $0["providerId"] == "github.com" }?["federatedId"] == "h1")
      let factor = try #require(user["mfaInfo"]?.items.first)
      #expect(factor["phoneInfo"] == "+15555550101")
      #expect(factor["mfaEnrollmentId"]?.stringValue?.count == 28)
      #expect(factor["enrolledAt"]?.stringValue?.contains(".") == true)
    }
  }

  @Test(arguments: ServerHome.both)
  func `an upload without accounts is refused`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      for reply in [
        try await home.upload([]),
        try await home.admin("POST", "\(home.accountsPath):batchCreate", [:]),
      ] {
        #expect(reply.status == 400)
        #expect(reply.message == "MISSING_USER_ACCOUNT")
      }
    }
  }

  @Test(arguments: ServerHome.both)
  func `an upload that contradicts itself is refused as a whole`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let entry: JSONValue = ["providerId": "google.com", "rawId": "g"]
      let cases: [([JSONValue], [String: JSONValue], String)] = [
        (
          [
            ["localId": "a", "email": "x@example.com"], ["localId": "b", "email": "X@example.com"],
          ],
          ["sanityCheck": true], "DUPLICATE_EMAIL : X@example.com"
        ),
        (
          [
            ["localId": "a", "providerUserInfo": [entry]],
            ["localId": "b", "providerUserInfo": [entry]],
          ], ["sanityCheck": true], "DUPLICATE_RAW_ID : Provider id(google.com), Raw id(g)"
        ),
        (
          [["localId": "a"], ["localId": "a"]], ["allowOverwrite": false],
          "DUPLICATE_LOCAL_ID : a"
        ),
      ]
      for (users, more, message) in cases {
        let reply = try await home.upload(users, more)
        #expect(reply.status == 400)
        #expect(reply.message == message)
      }
      #expect(try await home.graph.accountCount(in: home.scope) == 0)
    }
  }

  /// An account with a fault, and the message about it.
  typealias Fault = TableRow<JSONValue, String>

  /// The start of an account that may have second factors.
  private static let verified: [String: JSONValue] = [
    "localId": "a", "email": "a@example.com", "emailVerified": true,
  ]

  private static func factors(_ factors: JSONValue) -> JSONValue {
    .object(verified.merging(["mfaInfo": factors]) { $1 })
  }

  static let faults = [
    Fault("no ID", ["email": "a@example.com"], "localId is missing"),
    Fault(
      "a long ID", ["localId": .string(String(repeating: "x", count: 129))], "localId is invalid"),
    Fault(
      "another tenant", ["localId": "a", "tenantId": "other"],
      "Tenant id in userInfo does not match the tenant id in request."),
    Fault(
      "many claims",
      [
        "localId": "a",
        "customAttributes": .string("{\"a\":\"\(String(repeating: "x", count: 1000))\"}"),
      ], "Custom claims provided are too large."),
    Fault(
      "a list as claims", ["localId": "a", "customAttributes": "[]"],
      "Invalid custom claims provided."),
    Fault(
      "half of claims", ["localId": "a", "customAttributes": "{"],
      "Invalid custom claims provided."),
    Fault(
      "a reserved claim", ["localId": "a", "customAttributes": "{\"sub\":\"x\"}"],
      "Custom claims provided include a reserved claim."),
    Fault(
      "no subject", ["localId": "a", "providerUserInfo": [["providerId": "google.com"]]],
      "federatedId or (providerId & rawId) is required"),
    Fault(
      "no provider", ["localId": "a", "providerUserInfo": [["rawId": "g"]]],
      "federatedId or (providerId & rawId) is required"),
    Fault(
      "a number without country", ["localId": "a", "phoneNumber": "5555550100"],
      "phone number format is invalid"),
    Fault("no address", ["localId": "a", "email": "nobody"], "email is invalid"),
    Fault(
      "a factor without address", ["localId": "a", "mfaInfo": [["phoneInfo": "+15555550100"]]],
      "Second factor account requires email to be presented."),
    Fault(
      "a factor with an unverified address",
      ["localId": "a", "email": "a@example.com", "mfaInfo": [["phoneInfo": "+15555550100"]]],
      "Second factor account requires email to be verified."),
    Fault(
      "two factors of one ID",
      factors([
        ["mfaEnrollmentId": "m", "phoneInfo": "+15555550100"],
        ["mfaEnrollmentId": "m", "phoneInfo": "+15555550101"],
      ]), "Enrollment id already exists."),
    Fault(
      "a factor of no kind", factors([["displayName": "what"]]), "Second factor not supported."),
    Fault(
      "a factor's number without country", factors([["phoneInfo": "5555550100"]]),
      "Phone number format is invalid"),
  ]

  @Test(arguments: ServerHome.both)
  func `each fault of an account is reported, and the account left out`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      for fault in Self.faults {
        let told = try await home.fault(of: fault.input)
        #expect(told == fault.expected, "\(fault.testDescription)")
      }
      #expect(try await home.graph.accountCount(in: home.scope) == 0)
    }
  }

  @Test(arguments: ServerHome.both)
  func `a conflict with another account is reported with its place, and the rest is kept`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      try await home.upload([
        [
          "localId": "old", "email": "old@example.com", "emailVerified": true,
          "providerUserInfo": [["providerId": "google.com", "rawId": "g"]],
        ]
      ])
      let reply = try await home.upload(
        [
          ["localId": "a"],
          ["localId": "b", "providerUserInfo": [["providerId": "google.com", "rawId": "g"]]],
          ["localId": "c", "email": "old@example.com"], ["localId": "d"], ["localId": "old"],
        ], ["sanityCheck": true, "allowOverwrite": false])
      #expect(reply.status == 200)
      #expect(
        reply.json["error"] == [
          ["index": 1, "message": "raw id exists in other account in database"],
          ["index": 2, "message": "email exists in other account in database"],
          [
            "index": 4,
            "message": "localId belongs to an existing account - can not overwrite.",
          ],
        ])
      let kept = try await home.graph.accounts(limit: 10, in: home.scope).map(\.id.rawValue)
      #expect(kept == ["a", "d", "old"])
    }
  }

  @Test func `the emulator takes no second owner of an address at all`() async throws {
    try await withServer(.emulator) { home in
      try await home.upload([["localId": "a", "email": "a@example.com"]])
      #expect(
        try await home.fault(of: ["localId": "b", "email": "a@example.com"])
          == "((Auth Emulator does not support importing duplicate email: a@example.com))")
    }
  }

  @Test(arguments: ServerHome.both)
  func `an existing uid is replaced as a whole if that is allowed`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      try await home.upload([["localId": "a", "email": "a@example.com", "displayName": "Old"]])
      // Production replaces by default; the emulator does not.
      let unsaid = try await home.fault(of: ["localId": "a", "email": "b@example.com"])
      #expect((unsaid == nil) == (mode == .production))
      let reply = try await home.upload(
        [["localId": "a", "email": "c@example.com"]], ["allowOverwrite": true])
      #expect(reply.json["error"]?.items.isEmpty ?? true)
      let account = try #require(try await home.graph.account(AccountID("a"), in: home.scope))
      #expect(account.email?.text == "c@example.com")
      #expect(account.displayName == nil)
    }
  }

  @Test func `the emulator's passwords work after an upload, by hash or as they are`() async throws
  {
    try await withServer(.emulator) { home in
      let hash = "fakeHash:salt=fakeSaltXYZ:password=correct horse"
      try await home.upload([
        [
          "localId": "a", "email": "a@example.com", "passwordHash": .string(hash),
          "salt": "fakeSaltXYZ",
        ], ["localId": "b", "email": "b@example.com", "rawPassword": "correct horse"],
      ])
      for email in ["a@example.com", "b@example.com"] {
        let reply = try await home.post(
          "/v1/accounts:signInWithPassword",
          ["email": .string(email), "password": "correct horse"])
        #expect(reply.status == 200, "\(reply.text)")
      }
      let users = try await home.admin("GET", "\(home.accountsPath):batchGet").json["users"]
      #expect(users?.items.first?["passwordHash"] == .string(hash))
      #expect(users?.items.first?["salt"] == "fakeSaltXYZ")
    }
  }

  @Test(arguments: ServerHome.both)
  func `a download can be uploaded again`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await home.seed("a", email: "a@example.com", phone: "+15555550100", name: "Ada")
      let before = try await home.admin("GET", "\(home.accountsPath):batchGet").json["users"]
      try await home.graph.deleteAllAccounts(by: home.admin)
      let reply = try await home.upload(before?.items ?? [])
      #expect(reply.json["error"]?.items.isEmpty ?? true, "\(reply.text)")
      let after = try await home.admin("GET", "\(home.accountsPath):batchGet").json["users"]
      for name in [
        "localId", "email", "phoneNumber", "displayName", "createdAt", "providerUserInfo",
      ] {
        #expect(after?.items.first?[name] == before?.items.first?[name])
      }
    }
  }

  @Test func `production refuses an unknown field`() async throws {
    try await withServer(.production) { home in
      let reply = try await home.upload([["localId": "a"]], ["hashAlgoritm": "MD5"])
      #expect(reply.status == 400)
      #expect(reply.message?.contains("Unknown name \"hashAlgoritm\"") == true)
    }
  }
}
