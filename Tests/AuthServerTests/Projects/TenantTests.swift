import AuthCore
import Testing

@testable import IdentityToolkitService

@Suite struct `Tenants` {
  private func create(_ home: ServerHome, _ body: JSONValue = [:]) async throws -> (String, Reply) {
    let reply = try await home.admin("POST", home.tenantsPath, body)
    #expect(reply.status == 200, "\(reply.text)")
    let name = try reply.text("name")
    return (String(try #require(name.split(separator: "/").last)), reply)
  }

  @Test func `the emulator opens tenants with everything off that is not asked for`() async throws {
    try await withServer(.emulator) { home in
      let (id, reply) = try await create(home)
      #expect(id.count == 28)
      #expect(
        reply.json == [
          "tenantId": .string(id), "name": .string("projects/\(ServerHome.project)/tenants/\(id)"),
          "allowPasswordSignup": false, "disableAuth": false, "enableAnonymousUser": false,
          "enableEmailLinkSignin": false,
          "mfaConfig": ["state": "DISABLED", "enabledProviders": []],
        ])
      let (second, full) = try await create(
        home,
        [
          "displayName": "Berlin", "allowPasswordSignup": true, "disableAuth": true,
          "enableAnonymousUser": true, "enableEmailLinkSignin": true,
          "mfaConfig": ["state": "ENABLED", "enabledProviders": ["PHONE_SMS"]],
        ])
      #expect(second != id)
      #expect(full.json["displayName"] == "Berlin")
      #expect(full.json["disableAuth"] == true)
      #expect(full.json["mfaConfig"] == ["state": "ENABLED", "enabledProviders": ["PHONE_SMS"]])
      #expect(try await home.admin("GET", "\(home.tenantsPath)/\(second)").json == full.json)
    }
  }

  @Test func `the emulator opens a tenant that is asked for, with everything on`() async throws {
    try await withServer(.emulator) { home in
      let reply = try await home.admin("GET", "\(home.tenantsPath)/berlin")
      #expect(
        reply.json == [
          "tenantId": "berlin", "name": .string("projects/\(ServerHome.project)/tenants/berlin"),
          "allowPasswordSignup": true, "disableAuth": false, "enableAnonymousUser": true,
          "enableEmailLinkSignin": true,
          "mfaConfig": ["state": "ENABLED", "enabledProviders": ["PHONE_SMS"]],
        ])
    }
  }

  @Test func `production opens no tenant by being asked for one`() async throws {
    try await withServer(.production) { home in
      for (method, path) in [
        ("GET", "\(home.tenantsPath)/berlin"), ("DELETE", "\(home.tenantsPath)/berlin"),
        ("PATCH", "\(home.tenantsPath)/berlin"),
      ] {
        let reply = try await home.admin(method, path, method == "PATCH" ? [:] : nil)
        #expect(reply.status == 400)
        #expect(reply.message == "TENANT_NOT_FOUND", "\(method): \(reply.text)")
      }
    }
  }

  @Test func `production's tenants have the fields of Firebase's`() async throws {
    try await withServer(.production) { home in
      let (id, reply) = try await create(
        home, ["displayName": "Berlin", "allowPasswordSignup": true])
      #expect(reply.json["displayName"] == "Berlin")
      #expect(reply.json["allowPasswordSignup"] == true)
      #expect(reply.json["enableEmailLinkSignin"] == false)
      #expect(reply.json["mfaConfig"]?["state"] == "DISABLED")
      #expect(reply.json["tenantId"] == nil)
      let patched = try await home.admin(
        "PATCH", "\(home.tenantsPath)/\(id)?updateMask=client.permissions,emailPrivacyConfig",
        [
          "client": ["permissions": ["disabledUserSignup": true]],
          "emailPrivacyConfig": ["enableImprovedEmailPrivacy": false],
        ])
      #expect(patched.json["client"]?["permissions"]?["disabledUserSignup"] == true)
      #expect(patched.json["emailPrivacyConfig"]?["enableImprovedEmailPrivacy"] == false)
      #expect(patched.json["displayName"] == "Berlin")
      let unknown = try await home.admin(
        "PATCH", "\(home.tenantsPath)/\(id)?updateMask=colour", [:])
      #expect(unknown.message?.contains("colour") == true)
    }
  }

  @Test func `the emulator changes the fields of a mask, and everything without a mask`()
    async throws
  {
    try await withServer(.emulator) { home in
      let (id, before) = try await create(
        home, ["displayName": "Berlin", "enableAnonymousUser": true])
      let path = "\(home.tenantsPath)/\(id)"
      let some = try await home.admin(
        "PATCH", "\(path)?updateMask=allowPasswordSignup,mfaConfig,missing,displayName.0",
        [
          "allowPasswordSignup": true, "displayName": "Paris",
          "mfaConfig": ["state": "ENABLED", "enabledProviders": ["PHONE_SMS"]],
        ])
      #expect(some.json["allowPasswordSignup"] == true)
      #expect(some.json["displayName"] == "Berlin")
      #expect(some.json["enableAnonymousUser"] == true)
      #expect(some.json["mfaConfig"]?["state"] == "ENABLED")
      #expect(some.json["name"] == before.json["name"])

      let replaced = try await home.admin("PATCH", path, [:])
      #expect(
        replaced.json == [
          "tenantId": .string(id), "name": .string("projects/\(ServerHome.project)/tenants/\(id)"),
          "allowPasswordSignup": false, "disableAuth": false, "enableAnonymousUser": false,
          "enableEmailLinkSignin": false,
          "mfaConfig": ["state": "DISABLED", "enabledProviders": []],
        ])
    }
  }

  @Test(arguments: ServerHome.both)
  func `tenants are listed in pages`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      var ids: Set<String> = []
      for _ in 0..<3 { ids.insert(try await create(home).0) }
      func names(_ reply: Reply) -> [String] {
        reply.json["tenants"]?.items.compactMap {
          $0["name"]?.stringValue?.split(separator: "/").last.map(String.init)
        } ?? []
      }
      let all = try await home.admin("GET", home.tenantsPath)
      #expect(names(all) == ids.sorted())
      #expect(all.json["nextPageToken"] == nil)
      let first = try await home.admin("GET", "\(home.tenantsPath)?pageSize=2")
      #expect(names(first) == Array(ids.sorted().prefix(2)))
      let token = try first.text("nextPageToken")
      if mode == .emulator { #expect(token == ids.sorted()[1]) }
      let rest = try await home.admin("GET", "\(home.tenantsPath)?pageSize=2&pageToken=\(token)")
      #expect(names(rest) == Array(ids.sorted().suffix(1)))
      #expect(rest.json["nextPageToken"] == nil)
      // A full page has a token even if nothing follows.
      #expect(
        try await home.admin("GET", "\(home.tenantsPath)?pageSize=3").json["nextPageToken"] != nil)
      let negative = try await home.admin("GET", "\(home.tenantsPath)?pageSize=-1")
      if mode == .emulator {
        #expect(names(negative).count == 3)
      } else {
        #expect(negative.message == "INVALID_PAGE_SELECTION")
      }
    }
  }

  @Test(arguments: ServerHome.both)
  func `a removed tenant is gone with its accounts`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let (id, _) = try await create(home, ["allowPasswordSignup": true])
      let tenant = Scope(project: ServerHome.project, tenant: id)
      try await home.seed("u", email: "ada@example.com", in: tenant)
      let reply = try await home.admin("DELETE", "\(home.tenantsPath)/\(id)")
      #expect(reply.status == 200)
      #expect(reply.json == [:])
      #expect(try await home.graph.account(AccountID("u"), in: tenant) == nil)
      #expect(try await home.graph.tenants(of: ServerHome.project, after: nil, limit: 9).isEmpty)
    }
  }

  @Test(arguments: ServerHome.both)
  func `a disabled tenant still answers its admins`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let (id, _) = try await create(home, ["disableAuth": true])
      let path = "\(home.tenantsPath)/\(id)"
      #expect(try await home.admin("GET", path).status == 200)
      let accounts = "/v1/projects/\(ServerHome.project)/tenants/\(id)/accounts"
      let list = try await home.admin("GET", "\(accounts):batchGet")
      #expect(list.code == "PROJECT_DISABLED")
      let deletion = try await home.admin("POST", "\(accounts):batchDelete", ["localIds": ["x"]])
      #expect(deletion.json == [:])
      let patched = try await home.admin(
        "PATCH", "\(path)?updateMask=disableAuth", ["disableAuth": false])
      #expect(patched.json["disableAuth"] == false)
      #expect(try await home.admin("GET", "\(accounts):batchGet").status == 200)
    }
  }
}
