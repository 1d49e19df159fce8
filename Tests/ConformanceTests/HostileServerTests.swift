import AuthValues
import FakeVendors
import HTTPClientTransport
import Testing

@testable import Conformance

/// The runner against servers that lie, fail, and answer without end.
@Suite struct `Hostile servers` {
  private static let config = "/identitytoolkit.googleapis.com/v2/projects/demo/config"

  private static func runner(_ server: VendorServer) -> ConformanceRunner {
    ConformanceRunner(
      ConformanceTarget(
        url: server.url, mode: .emulator, project: "demo", key: Secret("app-key"),
        adminToken: Secret("owner"), isPrivate: true, timeout: .seconds(1)),
      transport: HTTPClientTransport(environment: [:]))
  }

  private static func cases(_ count: Int) throws -> [ConformanceCase] {
    let items = (0..<count).map {
      #"{"name": "n\#($0)", "steps": [{"send": "POST /v1/x", "body": {}, "answer": {"a": 1}}]}"#
    }
    let text = #"{"area": "area", "cases": [\#(items.joined(separator: ","))]}"#
    return try CaseFile("test.json", Array(text.utf8)).cases
  }

  @Test(arguments: HostileTransport.allCases.filter(\.mustFail))
  func `every fault of a connection fails the case, and ends the run at last`(
    _ behavior: HostileTransport
  ) async throws {
    let server = try await VendorServer.start { _ in .json(["a": 1]) }
    let honest = try await Self.runner(server).run(try Self.cases(1))
    #expect(honest.passed)
    server.misbehave(behavior)
    let report = try await Self.runner(server).run(try Self.cases(5))
    #expect(!report.passed)
    #expect(report.failures.count == report.results.count)
    #expect(report.results.count + report.unrun == 5)
    // A server that gives no answer three times is not asked again.
    let isSilent = report.results.allSatisfy { $0.failure?.isSilence ?? false }
    #expect(report.unrun == (isSilent ? 2 : 0))
    for failure in report.failures.compactMap(\.failure) {
      #expect(failure.lines.allSatisfy { $0.utf8.count < 5000 })
    }
  }

  @Test func `a server without the protocol is refused before the first case`() async throws {
    let pages: [VendorResponse] = [
      .text("<html>Welcome</html>"), VendorResponse(status: 404), .json([1, 2]),
      .json("text"), .json(["message": "no"], status: 500), .redirect(to: "http://localhost/"),
    ]
    for page in pages {
      let server = try await VendorServer.start { _ in page }
      let error = await #expect(throws: AuthError.self) { try await Self.runner(server).check() }
      #expect(error?.field == "url" && error?.code == .invalidArgument, "\(page.status)")
    }
  }

  @Test func `a refused token is told with the server's sentence`() async throws {
    let server = try await VendorServer.start { _ in
      .json(["error": ["code": 401, "message": "Request had invalid credentials."]], status: 401)
    }
    let error = await #expect(throws: AuthError.self) { try await Self.runner(server).check() }
    #expect(error?.field == "admin-token-file")
    #expect(error?.message.contains("401 Request had invalid credentials.") == true)
  }

  @Test func `a port without a server is an error of the network`() async throws {
    let server = try await VendorServer.start()
    await server.stop()
    let error = await #expect(throws: AuthError.self) { try await Self.runner(server).check() }
    #expect(error?.code == .networkRequestFailed)
  }

  /// Answers of a wrong kind, each where an object with a member `a` is due.
  @Test(arguments: [
    JSONValue.null, true, 7, "text", [], [["a": 1]], ["a": "1"], ["a": .null], ["a": [1]],
    ["error": "text"], ["error": ["message": 7]], ["A": 1],
  ])
  func `an answer of a wrong type fails the case`(_ answer: JSONValue) async throws {
    let server = try await VendorServer.start { _ in .json(answer) }
    let report = try await Self.runner(server).run(try Self.cases(1))
    #expect(report.failures.count == 1 && report.failures.first?.failure?.isSilence == false)
  }

  @Test func `attack: an answer nested without end is a text, and does not end the program`()
    async throws
  {
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20)
    let server = try await VendorServer.start { _ in VendorResponse(body: deep) }
    let report = try await Self.runner(server).run(try Self.cases(1))
    #expect(report.failures.count == 1)
    #expect((report.failures.first?.failure?.answer?.utf8.count ?? .max) < 2000)
  }

  @Test(arguments: [
    ("TOO_MANY_ATTEMPTS_TRY_LATER", NeededSetting.rateLimits),
    (
      "OPERATION_NOT_ALLOWED : This server has no way to send such messages.",
      NeededSetting.messages
    ),
    ("OPERATION_NOT_ALLOWED", nil),
  ])
  func `a refusal that a setting of the server ends is told apart`(
    _ message: String, _ setting: NeededSetting?
  ) async throws {
    let server = try await VendorServer.start { _ in
      .json(["error": ["code": 400, "message": .string(message)]], status: 400)
    }
    let report = try await Self.runner(server).run(try Self.cases(1))
    #expect(report.failures.first?.failure?.neededSetting == setting)
  }
}
