import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite struct `Deleting accounts` {
  static let path = "/v1/accounts:delete"

  @Test(arguments: ServerMode.allCases)
  func `a client deletes itself and no other account`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      let bob = try await home.openAccount("bob@example.com")
      expectFailure(
        try await home.post(Self.path, ["localId": .string(bob.uid)]), "MISSING_ID_TOKEN")
      let reply = try await home.post(
        Self.path, ["idToken": .string(ada.idToken), "localId": .string(bob.uid)])

      #expect(reply.json == ["kind": "identitytoolkit#DeleteAccountResponse"])
      #expect(try await home.adminRecord(ada.uid) == nil)
      #expect(try await home.adminRecord(bob.uid) != nil)
      expectFailure(try await home.post(Self.path, ada.session), "USER_NOT_FOUND")
      _ = try await home.openAccount()
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `an admin names the account`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      let path = "\(home.accountsPath):delete"
      expectFailure(try await home.admin("POST", path, [:]), "MISSING_LOCAL_ID")
      expectFailure(try await home.admin("POST", path, ["localId": "no"]), "USER_NOT_FOUND")
      let reply = try await home.admin("POST", path, ["localId": .string(ada.uid)])

      #expect(reply.status == 200)
      #expect(try await home.adminRecord(ada.uid) == nil)
    }
  }

  @Test func `production deletes no account if only admins may, nor by an old session`()
    async throws
  {
    try await withServer(.production) { home in
      let ada = try await home.openAccount()
      try await home.setSettings { $0.signIn.allowsDeletion = false }
      expectFailure(try await home.post(Self.path, ada.session), "ADMIN_ONLY_OPERATION")
      try await home.setSettings { $0.signIn.allowsDeletion = true }
      home.clock.advance(seconds: 301)
      expectFailure(
        try await home.post(Self.path, ada.session), "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }
  }
}
