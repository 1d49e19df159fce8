import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// The paths of operations on accounts, and the accepted forms of their fields.
@Suite struct `Paths of accounts` {
  private func openTenant(
    _ home: ServerHome, _ change: (inout ProjectSettings) -> Void = { _ in }
  ) async throws {
    try await home.touch()
    var settings = ProjectSettings()
    change(&settings)
    _ = try await home.graph.createTenant(
      "shop", in: ServerHome.project, settings: settings, by: home.admin)
  }

  @Test(arguments: ServerMode.allCases)
  func `older clients find every operation`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let older = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"
      let signedUp = try SignedUp(
        try await home.post(
          older + "signupNewUser", ["email": "ada@example.com", "password": "opensesame"]))
      let signedIn = try SignedUp(
        try await home.post(
          older + "verifyPassword", ["email": "ada@example.com", "password": "opensesame"]))
      #expect(signedIn.uid == signedUp.uid)
      let record = try await home.post(older + "getAccountInfo", signedIn.session)
      #expect(record.json["users"]?.items.count == 1)
      let changed = try await home.post(
        older + "setAccountInfo",
        ["idToken": .string(signedIn.idToken), "displayName": "Ada"])
      #expect(changed.json["displayName"] == "Ada")
      expectFailure(try await home.post(older + "verifyCustomToken"), "MISSING_CUSTOM_TOKEN")
      let deleted = try await home.post(older + "deleteAccount", signedIn.session)
      #expect(deleted.status == 200)
    }
  }

  @Test(arguments: ["verifyClient", "signInWithGameCenter"])
  func `the emulator has not every older name`(_ name: String) async throws {
    let older = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"
    try await withServer(.emulator) { home in
      let reply = try await home.post(older + name)
      #expect(reply.status == 404)
    }
    try await withServer(.production) { home in
      let reply = try await home.post(older + name)
      #expect(reply.status == 400)
    }
  }

  @Test func `signing out is known and not done`() async throws {
    let path = "/www.googleapis.com/identitytoolkit/v3/relyingparty/signOutUser"
    try await withServer(.emulator) { home in
      let reply = try await home.post(path)
      #expect(reply.status == 501)
      #expect(reply.message == "signOutUser is not implemented in the Auth Emulator.")
    }
    try await withServer(.production) { home in
      let reply = try await home.post(path)
      #expect(reply.status == 404)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `names with underscores are read too`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      let reply = try await home.post(
        ServerHome.update, ["id_token": .string(ada.idToken), "display_name": "Ada"])
      #expect(reply.json["displayName"] == "Ada", "\(reply.text)")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a field of another type is named`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let reply = try await home.post(
        ServerHome.signIn, ["email": ["ada@example.com"], "password": "opensesame"])
      #expect(reply.status == 400)
      #expect(reply.json["error"]?["status"] == "INVALID_ARGUMENT")
      #expect(
        reply.message
          == (mode == .production
            ? "Invalid JSON payload received. Unknown name \"email\": "
              + "Proto field is not repeating, cannot start list."
            : "Invalid JSON payload received. /email must be string"))
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `a tenant that was disabled answers nothing`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await openTenant(home) { $0.signIn.isDisabled = true }
      for operation in [
        "signUp", "signInWithPassword", "signInWithCustomToken", "lookup", "update", "delete",
      ] {
        expectFailure(
          try await home.post("/v1/accounts:\(operation)", ["tenantId": "shop"]),
          "PROJECT_DISABLED")
      }
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `accounts of a tenant are named by path and by field`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await openTenant(home)
      let path = "/v1/projects/\(ServerHome.project)/tenants/shop/accounts"
      let made = try await home.admin(
        "POST", path,
        ["localId": "ada", "email": "ada@example.com", "password": "opensesame"])
      #expect(made.status == 200, "\(made.text)")
      let signedIn = try await home.post(
        ServerHome.signIn,
        ["tenantId": "shop", "email": "ada@example.com", "password": "opensesame"])
      let ada = try SignedUp(signedIn)

      #expect(try claimsOf(ada.idToken)["firebase"]?["tenant"] == "shop")
      #expect(try await home.ownRecord(ada.idToken)["tenantId"] == "shop")
      let changed = try await home.admin(
        "POST", "\(path):update", ["localId": "ada", "displayName": "Ada"])
      #expect(changed.json["displayName"] == "Ada")
      let found = try await home.admin("POST", "\(path):lookup", ["localId": ["ada"]])
      #expect(found.json["users"]?.items.first?["displayName"] == "Ada")
      #expect(try await home.adminRecord("ada") == nil)
      let gone = try await home.admin("POST", "\(path):delete", ["localId": "ada"])
      #expect(gone.status == 200)
      expectFailure(
        try await home.admin("POST", path, ["tenantId": "other"]), "TENANT_ID_MISMATCH")
    }
  }

  @Test func `the emulator takes hashes of its own form that an import brought`() async throws {
    try await withServer(.emulator) { home in
      try await home.upload([
        [
          "localId": "ada", "email": "ada@example.com",
          "passwordHash": "fakeHash:salt=fakeSaltX:password=opensesame", "salt": "fakeSaltX",
        ]
      ])
      let reply = try await home.enter("ada@example.com", "opensesame")
      #expect(reply.json["localId"] == "ada", "\(reply.text)")
      expectFailure(try await home.enter("ada@example.com", "wrong-one"), "INVALID_PASSWORD")
    }
  }
}
