import AuthCore
import AuthTesting
import Foundation
import Testing

@testable import IdentityToolkitService

/// The texts that an admin may write to an account.
extension LongTextCase {
  private static func create(
    _ field: String, _ refusal: String, _ body: @escaping @Sendable (String) -> [String: JSONValue]
  ) -> LongTextCase {
    LongTextCase("admin creates: \(field)", refusal) { home, text in
      try await home.admin("POST", home.accountsPath, .object(body(text)))
    }
  }

  private static func change(
    _ field: String, _ refusal: String?,
    _ body: @escaping @Sendable (String) -> [String: JSONValue]
  ) -> LongTextCase {
    LongTextCase("admin changes: \(field)", refusal) { home, text in
      let uid = "u\(UUID().uuidString)"
      try await home.makeAccount(uid, email: "\(uid)@example.com")
      try await home.adminUpdate(uid, ["emailVerified": true])
      return try await home.adminUpdate(uid, body(text))
    }
  }

  private static func factor(_ field: String, _ text: String) -> JSONValue {
    var entry: [String: JSONValue] = [
      "phoneInfo": "+15555550155", "mfaEnrollmentId": "f1", "displayName": "phone",
    ]
    entry[field] = .string(text)
    return .object(entry)
  }

  private static func link(_ field: String, _ text: String) -> JSONValue {
    var entry: [String: JSONValue] = [
      "providerId": "github.com", "rawId": .string(UUID().uuidString),
    ]
    entry[field] = .string(text)
    return .object(entry)
  }

  static let records: [LongTextCase] =
    [
      create("localId", "INVALID_LOCAL_ID") { ["localId": .string($0)] },
      create("displayName", "INVALID_DISPLAY_NAME") { ["displayName": .string($0)] },
      create("photoUrl", "INVALID_PHOTO_URL") { ["photoUrl": .string("https://x.example/\($0)")] },
      create("mfaInfo.displayName", "INVALID_DISPLAY_NAME") {
        [
          "email": "mfa@example.com", "emailVerified": true,
          "mfaInfo": [factor("displayName", $0)],
        ]
      },
      create("mfaInfo.enrolledAt", "INVALID_ARGUMENT") {
        [
          "email": "mfa@example.com", "emailVerified": true, "mfaInfo": [factor("enrolledAt", $0)],
        ]
      },
      change("displayName", "INVALID_DISPLAY_NAME") { ["displayName": .string($0)] },
      change("photoUrl", "INVALID_PHOTO_URL") { ["photoUrl": .string("https://x.example/\($0)")] },
      change("customAttributes", "CLAIMS_TOO_LARGE") {
        ["customAttributes": .string("{\"a\":\"\($0)\"}")]
      },
      LongTextCase("admin changes: localId", "USER_NOT_FOUND") { home, text in
        try await home.adminUpdate(text, ["displayName": "Ada"])
      },
    ]
    + [
      ("displayName", "INVALID_DISPLAY_NAME"), ("mfaEnrollmentId", "INVALID_ARGUMENT"),
      ("enrolledAt", "INVALID_ARGUMENT"),
    ].map { field, refusal in
      change("mfa.\(field)", refusal) { ["mfa": ["enrollments": [factor(field, $0)]]] }
    }
    + ["email", "displayName", "photoUrl", "screenName", "phoneNumber"].map { field in
      change("linkProviderUserInfo.\(field)", nil) { ["linkProviderUserInfo": link(field, $0)] }
    }
    + [
      change("linkProviderUserInfo.rawId", "INVALID_ARGUMENT") {
        ["linkProviderUserInfo": link("rawId", $0)]
      },
      change("linkProviderUserInfo.providerId", "INVALID_ARGUMENT") {
        ["linkProviderUserInfo": link("providerId", "oidc.\($0)")]
      },
    ]

  /// An upload answers 200 with the problem of each account, which counts as the refusal here.
  private static func upload(
    _ field: String, _ refusal: String = "", in modes: [ServerMode] = ServerMode.allCases,
    _ user: @escaping @Sendable (String) -> [String: JSONValue]
  ) -> LongTextCase {
    LongTextCase("upload: \(field)", refusal, in: modes) { home, text in
      let user = user(text).merging(["localId": "uploaded"]) { given, _ in given }
      let reply = try await home.upload(
        [.object(user)], ["hashAlgorithm": "MD5", "rounds": 1])
      try #require(reply.status == 200, "\(reply.text)")
      let fault = reply.json["error"]?.items.first?["message"]?.stringValue
      #expect(fault != nil, "\(field) was taken")
      #expect(try await home.graph.account(AccountID("uploaded"), in: home.scope) == nil)
      return Reply(
        status: 400, headers: [:],
        text: JSONValue.object(["error": ["message": .optional(fault)]]).text)
    }
  }

  private static func uploadedFactor(_ field: String) -> LongTextCase {
    upload("mfaInfo.\(field)") {
      [
        "email": "mfa2@example.com", "emailVerified": true, "mfaInfo": [factor(field, $0)],
      ]
    }
  }

  static let uploads: [LongTextCase] =
    [
      upload("localId", "localId is invalid") { ["localId": .string($0)] },
      upload("displayName", "displayName: ") { ["displayName": .string($0)] },
      upload("photoUrl", "photoUrl: ") { ["photoUrl": .string("https://x.example/\($0)")] },
      upload("customAttributes", "Custom claims provided are too large.") {
        ["customAttributes": .string("{\"a\":\"\($0)\"}")]
      },
      upload("passwordHash", in: [.emulator]) {
        ["email": "hash@example.com", "passwordHash": .string($0)]
      },
      upload(
        "passwordHash in base64", "providerUserInfo.[0].passwordHash: ", in: [.emulator]
      ) {
        [
          "email": "hash@example.com",
          "passwordHash": .string(String(repeating: "YWFh", count: $0.utf8.count / 4)),
        ]
      },
      upload("salt", "", in: [.production]) {
        [
          "email": "hash@example.com", "passwordHash": "kAFQmDzST7DWlj99KOF/cg==",
          "salt": .string(String(repeating: "YWFh", count: $0.utf8.count / 4)),
        ]
      },
    ]
    + ["displayName", "mfaEnrollmentId", "enrolledAt"].map(uploadedFactor)
    + ["rawId", "email", "displayName", "photoUrl", "screenName", "phoneNumber"].map { field in
      upload("providerUserInfo.\(field)", "providerUserInfo.[0].\(field): ") {
        ["providerUserInfo": [link(field, $0)]]
      }
    }
    + [
      upload("providerUserInfo.providerId", "providerUserInfo.[0].providerId: ") {
        ["providerUserInfo": [link("providerId", "oidc.\($0)")]]
      }
    ]
}
