import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `The URL of a photo` {
  private static let texts = [
    "photo-url", "oldPhotoUrl", "gs://bucket/ada.png", "data:image/png;base64,AAAA",
    "/photos/ada.png", "ada lovelace.png",
  ]
  private static let scripts = ["javascript:alert(1)", " JavaScript:alert(1)", "vbscript:x"]

  @Test(arguments: ServerMode.allCases)
  func `is any text that an app gives`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      for (number, text) in Self.texts.enumerated() {
        let own = try await home.post(
          ServerHome.update, ["idToken": .string(ada.idToken), "photoUrl": .string(text)])
        #expect(own.json["photoUrl"] == .string(text), "\(own.text)")
        let made = try await home.admin(
          "POST", home.accountsPath, ["photoUrl": .string(text), "displayName": "Bo"])
        let uid = try made.text("localId")
        #expect(try await home.adminRecord(uid)?["photoUrl"] == .string(text))
        let changed = try await home.adminUpdate(
          uid,
          [
            "linkProviderUserInfo": [
              "providerId": "google.com", "rawId": .string(text), "photoUrl": .string(text),
            ]
          ])
        #expect(
          changed.json["providerUserInfo"]?.items.first?["photoUrl"] == .string(text),
          "\(changed.text)")
        let id = "cy-\(number)"
        try await home.upload([["localId": .string(id), "photoUrl": .string(text)]])
        #expect(try await home.adminRecord(id)?["photoUrl"] == .string(text))
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `attack: is no script, whoever gives it`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      for text in Self.scripts {
        let own = try await home.post(
          ServerHome.update, ["idToken": .string(ada.idToken), "photoUrl": .string(text)])
        #expect(own.message == "INVALID_PHOTO_URL")
        let made = try await home.admin("POST", home.accountsPath, ["photoUrl": .string(text)])
        #expect(made.message == "INVALID_PHOTO_URL")
      }
      #expect(try await home.ownRecord(ada.idToken)["photoUrl"] == nil)
    }
  }
}
