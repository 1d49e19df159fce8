import AuthCore
import Testing

@testable import IdentityToolkitService

@Suite struct `Deleting many accounts` {
  @Test(arguments: ServerHome.both)
  func `enabled accounts stay unless forced, unknown ones are skipped`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode) { home in
      try await home.seed("on")
      try await home.seed("off", disabled: true)
      let path = "\(home.accountsPath):batchDelete"
      let reply = try await home.admin("POST", path, ["localIds": ["off", "nobody", "on"]])
      #expect(reply.status == 200)
      #expect(
        reply.json == [
          "errors": [
            [
              "index": 2, "localId": "on",
              "message": "NOT_DISABLED : Disable the account before batch deletion.",
            ]
          ]
        ])
      let forced = try await home.admin("POST", path, ["localIds": ["on"], "force": true])
      #expect(forced.json == [:])
      #expect(try await home.graph.accountCount(in: home.scope) == 0)
    }
  }

  @Test(arguments: ServerHome.both)
  func `none and more than a thousand are refused`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let path = "\(home.accountsPath):batchDelete"
      let many = JSONValue.array((0...1000).map { .string("u\($0)") })
      for body: JSONValue in [[:], ["localIds": []], ["localIds": many]] {
        let reply = try await home.admin("POST", path, body)
        #expect(reply.status == 400)
        #expect(reply.message == "LOCAL_ID_LIST_EXCEEDS_LIMIT")
      }
    }
  }
}
