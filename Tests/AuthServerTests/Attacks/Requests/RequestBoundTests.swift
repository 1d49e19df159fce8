import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

/// Every list in a request is bounded before any loop over it.
@Suite struct `S1 attack 35: a request's list with too many members` {
  @Test(arguments: ServerMode.allCases)
  func `is refused in every place of every operation's body, and named with its bound`(
    _ mode: ServerMode
  ) async throws {
    try await withServer(mode, configure: { $0.settings = { $0.rateLimits = .none } }) { home in
      let dispatcher = Dispatcher(home.services)
      var asked = 0
      for operation in Dispatcher.operations where operation.modes.contains(mode) {
        for place in operation.places {
          for container in [Self.list, Self.objects, Self.members] {
            let response = await dispatcher.answer(
              ServerRequest(
                method: operation.method, path: Self.path(operation.pattern), query: "key=k",
                headers: [
                  "authorization": "Bearer \(mode == .emulator ? "owner" : ServerHome.adminToken)"
                ],
                body: Array(Self.wrapped(container, in: place).utf8), peer: "192.0.2.1")
            ).response
            asked += 1
            let text = String(decoding: response.body, as: UTF8.self)
            let pointer = "/" + place.joined(separator: "/")
            let isNamed =
              text.contains("\(pointer) must have at most ")
              || (place == ["localIds"] && text.contains("LOCAL_ID_LIST_EXCEEDS_LIMIT"))
            #expect(response.status == 400 && isNamed, "\(operation.name) \(pointer): \(text)")
          }
        }
      }
      #expect(asked > 1000)
    }
  }

  private static let count = 2000
  private static let list = "[" + (0..<count).map { "\"\($0)\"" }.joined(separator: ",") + "]"
  private static let objects = "[" + (0..<count).map { _ in "{}" }.joined(separator: ",") + "]"
  private static let members =
    "{" + (0..<count).map { "\"p\($0)\":1" }.joined(separator: ",") + "}"

  private static func wrapped(_ json: String, in place: [String]) -> String {
    place.reversed().reduce(json) { inner, step in
      step == "0" ? "[\(inner)]" : "{\"\(step)\":\(inner)}"
    }
  }

  private static func path(_ pattern: String) -> String {
    pattern.replacing("{project}", with: ServerHome.project).replacing("{tenant}", with: "berlin")
      .replacing(/\{[a-z]+\}/, with: "x")
  }

  private static func texts(_ count: Int) -> JSONValue {
    .array((0..<count).map { .string("t\($0)") })
  }

  private static func map(_ count: Int) -> JSONValue {
    .object(
      Dictionary(
        (0..<count).map { ("p\($0)", "x") }, uniquingKeysWith: { first, _ in first }))
  }

  @Test func `is taken up to the bound, in either spelling of the field`() async throws {
    try await withFederation(.production) { home in
      let server = home.server
      for name in ["customParameter", "custom_parameter"] {
        func begin(_ count: Int) async throws -> Reply {
          try await server.post(
            "/v1/accounts:createAuthUri",
            [
              "providerId": "google.com", "continueUri": "https://app.example/done",
              name: Self.map(count),
            ])
        }
        let url = try await begin(20).text("authUri")
        #expect(url.contains("p19=x") && url.contains("p0=x"))
        expectFailure(
          try await begin(21),
          "Invalid JSON payload received. /\(name) must have at most 20 entries")
      }
      for (path, body, bound): (String, [String: JSONValue], String) in [
        (
          ServerHome.update, ["idToken": "x", "mfa": ["enrollments": Self.texts(11)]],
          "/mfa/enrollments must have at most 10 entries"
        ),
        (
          ServerHome.update, ["idToken": "x", "deleteProvider": Self.texts(21)],
          "/deleteProvider must have at most 20 entries"
        ),
        (
          ServerHome.signUp, ["mfaInfo": Self.texts(11)], "/mfaInfo must have at most 10 entries"
        ),
        (
          "/v1/accounts:endWaysIn", ["waysIn": Self.texts(101)],
          "/waysIn must have at most 100 entries"
        ),
        (
          "/v1/accounts:merge", ["revisions": Self.map(11)],
          "/revisions must have at most 10 entries"
        ),
      ] {
        expectFailure(
          try await server.post(path, .object(body)), "Invalid JSON payload received. \(bound)")
      }
      let scopes = (0..<51).map { "s\($0)" }.joined(separator: " ")
      expectFailure(
        try await server.post(
          "/v1/accounts:createAuthUri",
          [
            "providerId": "google.com", "continueUri": "https://app.example/done",
            "oauthScope": .string(scopes),
          ]), "Invalid JSON payload received. /oauthScope must have at most 50 entries")
    }
  }

  @Test func `is refused in batches, above what Firebase takes`() async throws {
    try await withServer(.production) { home in
      let many = Self.texts(1000)
      let deleted = try await home.admin(
        "POST", "\(home.accountsPath):batchDelete", ["localIds": many])
      #expect(deleted.status == 200)
      expectFailure(
        try await home.admin(
          "POST", "\(home.accountsPath):batchDelete", ["localIds": Self.texts(1001)]),
        "LOCAL_ID_LIST_EXCEEDS_LIMIT")
      expectFailure(
        try await home.upload((0..<1001).map { ["localId": .string("u\($0)")] }),
        "Invalid JSON payload received. /users must have at most 1000 entries")
      expectFailure(
        try await home.upload([["localId": "u", "providerUserInfo": Self.texts(1001)]]),
        "Invalid JSON payload received. /users/0/providerUserInfo must have at most 1000 entries")
      expectFailure(
        try await home.admin(
          "POST", "\(home.accountsPath):lookup", ["email": Self.texts(101)]),
        "Invalid JSON payload received. /email must have at most 100 entries")
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `is refused in forms, queries, masks and vendors' answers`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let fields = (0..<101).map { "p\($0)=x" }.joined(separator: "&")
      let form = ["Content-Type": "application/x-www-form-urlencoded"]
      let posted = try await home.send("POST", "/v1/token?key=k", Array(fields.utf8), headers: form)
      expectFailure(posted, "INVALID_ARGUMENT : The form must have at most 100 fields.")
      let asked = try await home.call("GET", "/v1/projects?key=k&\(fields)")
      expectFailure(asked, "INVALID_ARGUMENT : The query must have at most 100 fields.")
      for (body, place): ([String: JSONValue], String) in [
        (["requestUri": "http://localhost", "postBody": .string(fields)], "postBody"),
        (["requestUri": .string("http://localhost/?\(fields)")], "The query of requestUri"),
        (["requestUri": .string("http://localhost/#\(fields)")], "The fragment of requestUri"),
      ] {
        expectFailure(
          try await home.post("/v1/accounts:signInWithIdp", .object(body)),
          "INVALID_ARGUMENT : \(place) must have at most 100 fields.")
      }
      let paths = (0..<101).map { "signIn.p\($0)" }.joined(separator: ",")
      expectFailure(
        try await home.admin("PATCH", "\(home.configPath)?updateMask=\(paths)", [:]),
        "INVALID_ARGUMENT : updateMask must have at most 100 paths.")
      let deep = "signIn" + String(repeating: ".a", count: 3000)
      expectFailure(
        try await home.admin("PATCH", "\(home.configPath)?updateMask=\(deep)", ["signIn": [:]]),
        "INVALID_ARGUMENT : A path of updateMask must have at most 10 names.")
    }
  }

  @Test func `is refused in a browser's request to the handler`() async throws {
    try await withFederation(.production) { home in
      let begin = "apiKey=k&providerId=google.com&redirectUrl=https%3A%2F%2Fapp.example%2Fdone"
      let form = ["Content-Type": "application/x-www-form-urlencoded"]
      for (fields, status): (String, Int) in [
        ("customParameters=" + URLText.escaped(Self.map(20).text), 303),
        ("customParameters=" + URLText.escaped(Self.map(21).text), 400),
        ("scopes=" + URLText.escaped(Self.texts(50).text), 303),
        ("scopes=" + URLText.escaped(Self.texts(51).text), 400),
        ("scopes=" + (0..<51).map { "s\($0)" }.joined(separator: ","), 400),
        ((0..<101).map { "p\($0)=x" }.joined(separator: "&"), 400),
      ] {
        let reply = try await home.server.send(
          "POST", "/__/auth/handler", Array("\(begin)&\(fields)".utf8), headers: form)
        #expect(reply.status == status, "\(fields.prefix(40)): \(reply.text)")
      }
    }
  }

  @Test func `a client of production chooses no factors of any kind`() async throws {
    try await withServer(.production) { home in
      for factors: JSONValue in [
        [["phoneInfo": "nonsense"]], [["phoneInfo": "+15555550100"]], [[:]],
      ] {
        expectFailure(
          try await home.post(ServerHome.signUp, ["mfaInfo": factors]), "INSUFFICIENT_PERMISSION")
      }
      #expect(try await home.post(ServerHome.signUp, ["mfaInfo": []]).status == 200)
    }
  }
}
