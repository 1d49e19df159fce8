import AuthCore
import Testing

@testable import AuthServer

@Suite struct DispatchingTests {
  @Test(arguments: [ServerMode.production, .emulator])
  func `an unknown path is not found`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let reply = try await home.post("/v1/accounts:fly")
      #expect(reply.status == 404)
      #expect(reply.json["error"]?["status"] == "NOT_FOUND")
      #expect(reply.message == "Not Found")
    }
  }
}
