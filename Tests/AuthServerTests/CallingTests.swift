import AuthCore
import Testing

@testable import IdentityToolkitService

@Suite struct `Calling the server` {
  private let allow = "access-control-allow-"

  @Test(arguments: ServerMode.allCases)
  func `a browser's preflight request is answered with its own fields`(mode: ServerMode)
    async throws
  {
    try await withServer(mode) { home in
      let wanted = "Authorization,X-Client-Version,X-Whatever"
      // Not every client names the method that it is about to use.
      for method in [["Access-Control-Request-Method": "POST"], [:]] {
        let fields = ["Origin": "example.com", "Access-Control-Request-Headers": wanted]
        let reply = try await home.call("OPTIONS", "/", nil, headers: fields.merging(method) { $1 })
        #expect(reply.status == 204)
        #expect(reply.headers["\(allow)origin"] == "example.com")
        #expect(reply.headers["\(allow)headers"] == wanted)
        #expect(reply.headers["\(allow)private-network"] == nil)
      }
      let network = ["Origin": "example.com", "Access-Control-Request-Private-Network": "true"]
      for method in ["OPTIONS", "GET"] {
        let reply = try await home.call(method, "/", nil, headers: network)
        #expect(reply.headers["\(allow)private-network"] == "true", "\(method)")
      }
    }
  }

  @Test func `the emulator does not know older paths that Firebase's has not`() async throws {
    let root = "/www.googleapis.com/identitytoolkit/v3/relyingparty"
    try await withServer(.emulator) { home in
      for name in ["verifyClient", "signInWithGameCenter", "publicKeys", "setProjectConfig"] {
        #expect(try await home.post("\(root)/\(name)").status == 404, "\(name)")
      }
      let reply = try await home.post("\(root)/signOutUser")
      #expect(reply.status == 501)
      #expect(reply.message == "signOutUser is not implemented in the Auth Emulator.")
    }
    try await withServer(.production) { home in
      let client = try await home.post("\(root)/verifyClient")
      #expect(client.message == "MISSING_IOS_APP_TOKEN")
      let keys = try await home.call("GET", "\(root)/publicKeys")
      #expect(keys.status == 200)
    }
  }

  @Test func `a bearer is an admin's, a key is a client's, and other words are refused`()
    async throws
  {
    try await withServer(.emulator) { home in
      let path = "\(home.accountsPath):lookup"
      for bearer in ["Bearer owner", "bearer OWNER", "Bearer ya29.token"] {
        #expect(
          try await home.call("POST", path, [:], headers: ["Authorization": bearer]).status == 200)
      }
      for bearer in ["Bearer another", "Bearer YA29.token"] {
        let reply = try await home.call("POST", path, [:], headers: ["Authorization": bearer])
        #expect(reply.status == 401)
        #expect(reply.json["error"]?["status"] == "UNAUTHENTICATED")
        #expect(
          reply.json["error"]?["errors"]?.items.first?["message"] == "Invalid Credentials")
      }
      let none = try await home.call("POST", path, [:], headers: ["Authorization": "Basic eA=="])
      #expect(none.status == 403)
      #expect(none.message == "The request is missing a valid API key.")
      #expect(
        try await home.post(path).message
          == "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
      )
      let header = try await home.call(
        "POST", ServerHome.signUp, [:], headers: ["x-goog-api-key": "any"])
      #expect(header.status == 200)
    }
  }
}
