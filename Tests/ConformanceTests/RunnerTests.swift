import AuthValues
import Testing

@testable import Conformance

@Suite struct `A run of cases` {
  private static func cases(_ text: String) throws -> [ConformanceCase] {
    let text = #"{"area": "area", "cases": [\#(text)]}"#
    return try CaseFile("test.json", Array(text.utf8)).cases
  }

  private static func run(
    _ text: String, mode: ConformanceMode = .emulator, at server: PlayedServer
  ) async throws -> ConformanceReport {
    let target = ConformanceTarget(
      url: "http://127.0.0.1:9099", mode: mode, project: "demo", key: Secret("app-key"),
      adminToken: Secret("owner"), isPrivate: true)
    let now = Timestamp(milliseconds: 1_750_000_000_000)
    return try await ConformanceRunner(target, transport: server, now: { now }).run(try cases(text))
  }

  @Test(arguments: [
    ("API key not valid. Please pass a valid API key.", true), ("MISSING_ID_TOKEN", false),
  ])
  func `a key that the server refuses ends the run before its cases`(
    _ message: String, _ isRefused: Bool
  ) async throws {
    let server = PlayedServer { request in
      request.url.contains("key=app-key") ? .failure(message) : .json([:])
    }
    let target = ConformanceTarget(
      url: "http://127.0.0.1:9099", mode: .production, project: "demo", key: Secret("app-key"),
      adminToken: Secret("token"), isPrivate: true)
    let runner = ConformanceRunner(target, transport: server, now: { .now() })
    do {
      try await runner.check()
      #expect(!isRefused)
    } catch let error as AuthError {
      #expect(isRefused && error.field == "key")
    }
    #expect(server.requests.count == 2)
  }

  @Test func `sends what the steps say, with the key, the token or neither`() async throws {
    let server = PlayedServer { _ in .json(["id": "a b/c"]) }
    let report = try await Self.run(
      #"""
      {"name": "n", "steps": [
        {"send": "POST /v1/x?a=1", "body": {"email": "${email}", "list": [1]}, "answer": {"id": {"$keep": "id"}}},
        {"send": "GET /v1/${id}", "as": "admin", "headers": {"X-Locale": "de"}},
        {"send": "POST /v1/form", "form": {"b": "${id}", "a": "1 2"}, "as": "nobody"},
        {"send": "POST /v1/text", "text": "{", "headers": {"content-type": "text/plain"}}
      ]}
      """#, at: server)
    #expect(report.passed)
    let requests = server.requests
    try #require(requests.count == 4)
    #expect(requests[0].url == "http://127.0.0.1:9099/v1/x?a=1&key=app-key")
    #expect(requests[0].header("Content-Type") == "application/json")
    let body = try JSONValue(text: requests[0].text)
    #expect(body["list"] == [1])
    #expect(body["email"]?.stringValue?.hasSuffix("@example.com") == true)
    #expect(requests[0].header("Authorization") == nil)
    #expect(requests[1].url == "http://127.0.0.1:9099/v1/a%20b%2Fc")
    #expect(requests[1].header("Authorization") == "Bearer owner")
    #expect(requests[1].header("X-Locale") == "de")
    #expect(requests[2].text == "a=1%202&b=a%20b%2Fc")
    #expect(requests[2].header("Content-Type") == "application/x-www-form-urlencoded")
    #expect(requests[2].url == "http://127.0.0.1:9099/v1/form")
    #expect(requests[3].text == "{")
    #expect(requests[3].headers.map(\.name) == ["content-type"])
    #expect(requests.allSatisfy { !$0.isRepeatable && $0.privateHosts == ["127.0.0.1:9099"] })
  }

  @Test func `each case has addresses and numbers of its own`() async throws {
    let server = PlayedServer { _ in .json([:]) }
    let step =
      #"{"send": "POST /x", "body": ["${email}", "${email2}", "${email3}", "${phone}", "${phone2}", "${subject}", "${subject2}", "${random}"]}"#
    _ = try await Self.run(
      (0..<20).map { #"{"name": "n\#($0)", "steps": [\#(step)]}"# }.joined(separator: ", "),
      at: server)
    var seen: [JSONValue] = []
    for request in server.requests {
      guard case .array(let values) = try JSONValue(text: request.text) else { continue }
      seen += values
    }
    #expect(seen.count == 160 && Set(seen).count == 160)
  }

  @Test func `a difference is told with request, expectation and answer, and without secrets`()
    async throws
  {
    let server = PlayedServer { _ in
      .json(["email": "b@example.com", "idToken": "the-token"])
    }
    let report = try await Self.run(
      #"""
      {"name": "n", "steps": [
        {"send": "POST /v1/x", "body": {"password": "secret12"}, "answer": {"idToken": {"$keep": "t"}}},
        {"send": "POST /v1/y", "body": {"idToken": "${t}"}, "answer": {"email": "a@example.com"}},
        {"send": "POST /v1/z"}
      ]}
      """#, at: server)
    let failure = try #require(report.failures.first?.failure)
    #expect(!report.passed && server.requests.count == 2)
    #expect(
      failure.lines == [
        "step 2: POST /v1/y?key=•••", #"sent      {"idToken":"•••"}"#,
        #"expected  email: "a@example.com""#, #"seen      "b@example.com""#,
        #"answer    200 {"email":"b@example.com","idToken":"•••"}"#,
      ])
  }

  /// An expected error, and answers that are not it.
  @Test(arguments: [
    ("EMAIL_EXISTS", 400, true), ("EMAIL_EXISTS : More words", 400, true),
    ("EMAIL_EXISTS: More words", 400, true), ("EMAIL_EXISTS_ELSEWHERE", 400, false),
    ("OTHER", 400, false), ("EMAIL_EXISTS", 403, false), ("EMAIL_EXISTS", 200, false),
    ("email_exists", 400, false), ("EMAIL_EXISTS by chance", 400, false),
  ])
  func `an error has its status and its code`(
    _ message: String, _ status: Int, _ passes: Bool
  ) async throws {
    let server = PlayedServer { _ in .failure(message, status: status) }
    let report = try await Self.run(
      #"{"name": "n", "steps": [{"send": "POST /x", "error": "EMAIL_EXISTS"}]}"#, at: server)
    #expect(report.passed == passes)
  }

  @Test func `an error's message can be matched beside its envelope`() async throws {
    let server = PlayedServer { _ in .failure("Invalid JSON payload received. More.") }
    let step =
      #"{"send": "POST /x", "error": {"$matches": "^Invalid"}, "answer": {"error": {"code": 400}}}"#
    #expect(try await Self.run(#"{"name": "n", "steps": [\#(step)]}"#, at: server).passed)
  }

  @Test func `headers of the answer and members that must not be there are compared`()
    async throws
  {
    let server = PlayedServer { _ in .json(["a": 1]) }
    func passes(_ rest: String) async throws -> Bool {
      try await Self.run(
        #"{"name": "n", "steps": [{"send": "POST /x", \#(rest)}]}"#, at: server
      ).passed
    }
    #expect(try await passes(#""answerHeaders": {"Content-Type": {"$contains": "json"}}"#))
    #expect(try await !passes(#""answerHeaders": {"X-Other": "a"}"#))
    #expect(try await passes(#""lacks": ["b"]"#))
    #expect(try await !passes(#""lacks": ["a"]"#))
  }

  @Test func `an answer that is no JSON is a text`() async throws {
    let server = PlayedServer { _ in
      HTTPResponse(status: 200, body: Array("<html>hello</html>".utf8))
    }
    let good = #"{"send": "GET /x", "answer": {"$contains": "hello"}}"#
    #expect(try await Self.run(#"{"name": "n", "steps": [\#(good)]}"#, at: server).passed)
    let bad = #"{"send": "GET /x", "answer": {"a": 1}}"#
    let report = try await Self.run(#"{"name": "n", "steps": [\#(bad)]}"#, at: server)
    let lines = report.failures.first?.failure?.lines ?? []
    #expect(
      lines.contains("expected  an object") && lines.last == "answer    200 <html>hello</html>")
  }

  @Test func `cases and steps of another mode are left out`() async throws {
    let server = PlayedServer { _ in .json([:]) }
    let report = try await Self.run(
      #"""
      {"name": "a", "modes": ["production"], "steps": [{"send": "GET /a"}]},
      {"name": "b", "steps": [{"send": "GET /b"}, {"send": "GET /c", "modes": ["production"]}]}
      """#, at: server)
    #expect(report.results.map(\.name) == ["b"])
    #expect(server.lines == ["GET /b"])
  }
}
