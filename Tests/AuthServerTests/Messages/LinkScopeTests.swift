import AuthCore
import AuthTesting
import Foundation
import Testing

@testable import IdentityToolkitService

@Suite struct LinkScopeTests {
  @Test(arguments: ServerMode.allCases)
  func `a tenant's link names the tenant, and its code is the tenant's alone`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      _ = try await home.graph.createTenant(
        "shop", in: ServerHome.project, settings: ProjectSettings(), by: home.admin)
      let body: JSONValue = [
        "requestType": "EMAIL_SIGNIN", "email": "ada@example.com", "tenantId": "shop",
      ]
      #expect(try await home.post("/v1/accounts:sendOobCode", body).status == 200)
      let fields = parameters(of: try #require(home.messages.last()).proof.reveal())
      #expect(fields["tenantId"] == "shop")
      let code = JSONValue.string(try #require(fields["oobCode"]))
      let path = "/v1/accounts:signInWithEmailLink"
      let outside = try await home.post(path, ["email": "ada@example.com", "oobCode": code])
      #expect(outside.message == "INVALID_OOB_CODE")
      let inside = try await home.post(
        path, ["email": "ada@example.com", "oobCode": code, "tenantId": "shop"])
      #expect(inside.status == 200, "\(inside.text)")
      let firebase = try claims(of: try inside.text("idToken"))["firebase"]
      #expect(firebase?["tenant"] == "shop")
    }
  }

  @Test func `the page of a link works in the link's tenant`() async throws {
    try await withServer(.production) { home in
      let tenant = try await home.graph.createTenant(
        "shop", in: ServerHome.project, settings: ProjectSettings(), by: home.admin)
      var admin = home.admin
      admin.scope = tenant
      var changes = ProfileChanges()
      changes.email = .set(try EmailAddress("ada@example.com"))
      let made = try await home.graph.create(changes, by: admin)
      let link = try await home.admin(
        "POST", "/v1/projects/\(ServerHome.project)/tenants/shop/accounts:sendOobCode",
        ["requestType": "VERIFY_EMAIL", "email": "ada@example.com", "returnOobLink": true]
      ).text("oobLink")
      let query = try #require(URLComponents(string: link)?.percentEncodedQuery)
      let page = try await home.call("GET", "/__/auth/action?\(query)")
      #expect(page.status == 200)
      #expect(page.text.contains("name=\"tenantId\" value=\"shop\""))
      let done = try await home.send(
        "POST", "/__/auth/action", Array(query.utf8),
        headers: ["Content-Type": "application/x-www-form-urlencoded"])
      #expect(done.status == 200, "\(done.text)")
      let account = try await home.graph.account(made.accountID, in: tenant)
      #expect(account?.emailVerified == true)
    }
  }
}
