import AuthCore
import Foundation
import Testing
import TestSupport

@Suite struct `A server whose disk is full` {
  @Test(.enabled(if: SmallDisk.isPossible, "a small disk can be mounted"))
  func `refuses to write, goes on reading, and writes when there is room`()
    async throws
  {
    let folder = try TemporaryFolder()
    let disk = try SmallDisk(at: "\(folder.path)/disk", size: "3m")
    defer { disk.unmount() }
    let store = "\(disk.path)/accounts.db"
    try await blocking {
      let filler = "\(disk.path)/filler"
      try Data(count: 1 << 20).write(to: URL(filePath: filler))
      let environment = ["AUTHGRAPH_STORE": "sqlite:\(store)"]
      let server = try RunningServer(
        ["--compat", "emulator", "--port", "0"], in: folder, environment: environment)
      let connection = try Connection(to: server.address)
      func ask(_ operation: String, _ body: JSONValue) throws -> (status: Int, json: JSONValue) {
        try connection.post(
          "/identitytoolkit.googleapis.com/v1/accounts:\(operation)?key=k", body)
      }
      var tokens: [JSONValue] = []
      var refusal: (status: Int, json: JSONValue)?
      while refusal == nil, tokens.count < 5000 {
        let name = String(repeating: "long ", count: 40)
        let reply = try ask(
          "signUp",
          [
            "email": .string("a\(tokens.count)@example.com"), "password": "opensesame",
            "displayName": .string(name),
          ])
        guard reply.status == 200, let token = reply.json["idToken"] else {
          refusal = reply
          continue
        }
        tokens.append(token)
      }

      #expect(refusal?.status == 503)
      let said = refusal?.json.text.lowercased() ?? ""
      for word in ["disk", "sqlite", "full", "room", disk.path, "opensesame"] {
        #expect(!said.contains(word), "\(word) in \(said)")
      }
      // A line of the log may come after the answer.
      for _ in 0..<100 where !server.written.contains("room") { usleep(50_000) }
      #expect(server.written.contains("room"), "the log tells what is the matter")
      #expect(!server.written.contains("opensesame"))
      #expect(try ask("lookup", ["idToken": tokens[0]]).status == 200)
      #expect(try server.get("/health").status == 200)
      let ready = try server.get("/ready")
      #expect(ready.status == 503 && ready.body.contains("store-full"), "\(ready)")

      try FileManager.default.removeItem(atPath: filler)
      #expect(
        try ask("signUp", ["email": "z@example.com", "password": "opensesame"]).status == 200)
      for token in tokens { #expect(try ask("lookup", ["idToken": token]).status == 200) }
      for _ in 0..<100 where try server.get("/ready").status != 200 { usleep(10_000) }
      #expect(try server.get("/ready").status == 200)
      #expect(try server.end(by: SIGTERM).status == 0)
      #expect(try sqlite(store, "pragma integrity_check") == "ok")
      let again = try RunningServer(
        ["--compat", "emulator", "--port", "0"], in: folder, environment: environment)
      #expect(try Accounts(again).subjects.count == tokens.count + 1)
      again.kill()
    }
  }
}
