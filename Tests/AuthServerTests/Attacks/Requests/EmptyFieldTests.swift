import AuthCore
import AuthTesting
import Foundation
import IdentityToolkit
import Testing

@testable import IdentityToolkitService

/// Attack 49: an empty form opens no account, and null removes nothing.
@Suite struct `Attack 49 Empty fields` {
  /// A sign-up, and its error in each mode; nil if it opens an account.
  struct Form: Sendable, CustomTestStringConvertible {
    let body: JSONValue
    let production: String?
    let emulator: String?

    init(_ body: JSONValue, _ production: String?, emulator: String?) {
      (self.body, self.production, self.emulator) = (body, production, emulator)
    }

    init(_ body: JSONValue, _ message: String) {
      self.init(body, inProduction(message), emulator: message)
    }

    var testDescription: String { body.text }
  }

  private static let null = "Invalid JSON payload received. "

  /// Returns the answer to a null in production, given the emulator's.
  private static func inProduction(_ message: String) -> String {
    let parts = message.dropFirst("\(null)/".count).components(separatedBy: " must be ")
    guard message.hasPrefix(null), parts.count == 2 else { return message }
    let types = ["string": "TYPE_STRING", "array": "TYPE_REPEATED", "object": "TYPE_MESSAGE"]
    let names = ["localId": "local_id", "idToken": "id_token", "mfaInfo": "mfa_info"]
    return "Invalid value at '\(names[parts[0]] ?? parts[0])' (\(types[parts[1]] ?? "")), null"
  }

  static let forms = [
    Form([:], nil, emulator: nil),
    Form(["displayName": .null], nil, emulator: nil),
    Form(["email": ""], "INVALID_EMAIL"),
    Form(["email": "", "password": ""], "INVALID_EMAIL"),
    Form(["email": "", "password": "opensesame"], "INVALID_EMAIL"),
    Form(
      ["email": "", "password": "", "displayName": "", "returnSecureToken": true], "INVALID_EMAIL"),
    Form(["email": " "], "MISSING_PASSWORD"),
    Form(["email": " ", "password": "opensesame"], "INVALID_EMAIL"),
    Form(["email": .null], "\(null)/email must be string"),
    Form(["email": .null, "password": "opensesame"], "\(null)/email must be string"),
    Form(["password": "opensesame"], "MISSING_EMAIL", emulator: nil),
    Form(["password": ""], "MISSING_EMAIL", emulator: nil),
    Form(["password": .null], "\(null)/password must be string"),
    Form(["idToken": ""], "INVALID_ID_TOKEN"),
    Form(["idToken": .null], "\(null)/idToken must be string"),
    Form(
      ["idToken": "", "email": "ada@example.com", "password": "opensesame"], "INVALID_ID_TOKEN"),
    Form(["mfaInfo": .null], "\(null)/mfaInfo must be array"),
  ]

  @Test(arguments: forms, ServerMode.allCases)
  func `open no unintended account`(_ form: Form, _ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await home.touch()
      let reply = try await home.post(ServerHome.signUp, form.body)

      let message = mode == .production ? form.production : form.emulator
      #expect(reply.message == message, "\(reply.text)")
      #expect(reply.status == (message == nil ? 200 : 400))
      #expect(try await home.graph.accountCount(in: home.scope) == (message == nil ? 1 : 0))
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `open none by an admin either`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      try await home.touch()
      for (body, message): (JSONValue, String) in [
        (["email": ""], "INVALID_EMAIL"), (["email": "", "localId": "ada"], "INVALID_EMAIL"),
        (["email": .null], "\(Self.null)/email must be string"),
        (["localId": .null], "\(Self.null)/localId must be string"),
        (["idToken": ""], "INVALID_ID_TOKEN"),
      ] {
        expectFailure(
          try await home.admin("POST", home.accountsPath, body),
          mode == .production ? Self.inProduction(message) : message)
      }
      #expect(try await home.graph.accountCount(in: home.scope) == 0)
    }
  }

  /// Requests with an empty ID token that is meant to link, on every path.
  @Test(arguments: ServerMode.allCases)
  func `enter no account if a link was meant`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let phone = try await home.phoneCode("+15555550100")
      let link = try await home.code(
        "EMAIL_SIGNIN", to: "ada@example.com",
        ["continueUrl": "http://localhost/", "canHandleCodeInApp": true])
      for (path, body): (String, [String: JSONValue]) in [
        (
          "/v1/accounts:signInWithPhoneNumber",
          ["sessionInfo": .string(phone.session), "code": .string(phone.code)]
        ),
        (
          "/v1/accounts:signInWithEmailLink",
          ["email": "ada@example.com", "oobCode": .string(link)]
        ),
        (
          "/v1/accounts:signInWithIdp",
          [
            "requestUri": "http://localhost",
            "postBody": "providerId=google.com&id_token=%7B%22sub%22%3A%221%22%7D",
          ]
        ),
      ] {
        expectFailure(
          try await home.post(path, .object(body.merging(["idToken": ""]) { $1 })),
          "INVALID_ID_TOKEN")
      }
      #expect(try await home.graph.accountCount(in: home.scope) == 0)
    }
  }

  @Test(arguments: ServerMode.allCases)
  func `of second factors take none away`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount()
      try await home.guardWithPhone(ada.uid)
      let list = "Invalid value at 'mfa.enrollments' (TYPE_REPEATED), "
      for (mfa, message, google): (JSONValue, String, String) in [
        (["enrollments": .null], "/mfa/enrollments must be array", "\(list)null"),
        (.null, "/mfa must be object", "Invalid value at 'mfa' (TYPE_MESSAGE), null"),
        (["enrollments": [:]], "/mfa/enrollments must be array", "\(list){}"),
        (["enrollments": ""], "/mfa/enrollments must be array", "\(list)\"\""),
        (
          [], "/mfa must be object",
          "\(Self.null)Unknown name \"mfa\": Proto field is not repeating, cannot start list."
        ),
        (
          ["enrollments": [.null]], "/mfa/enrollments/0 must be object",
          "Invalid value at 'mfa.enrollments[0]' (TYPE_MESSAGE), null"
        ),
      ] {
        // An account that does not exist is not looked up.
        for token in [ada.idToken, "nonsense"] {
          expectFailure(
            try await home.post(ServerHome.update, ["idToken": .string(token), "mfa": mfa]),
            mode == .production ? google : Self.null + message)
        }
        for uid in [ada.uid, "nobody"] {
          expectFailure(
            try await home.admin(
              "POST", "\(home.accountsPath):update", ["localId": .string(uid), "mfa": mfa]),
            mode == .production ? google : Self.null + message)
        }
      }
      let stored = try #require(try await home.graph.account(AccountID(ada.uid), in: home.scope))
      #expect(stored.secondFactors.count == 1)
    }
  }

  /// One rule for every field that a route declares: null is not a text, a list or an object.
  @Test(arguments: ServerMode.allCases)
  func `that are null are refused in every operation`(_ mode: ServerMode) async throws {
    try await withServer(mode, configure: { $0.settings = { $0.rateLimits = .none } }) { home in
      let dispatcher = Dispatcher(home.services)
      for route in Route.all
      where route.modes.contains(mode) && ![.get, .delete].contains(route.method) {
        for field in route.fields ?? [] {
          let type: String? =
            switch field.shape {
            case .text: WireFields.nullable.contains(field.name) ? nil : "string"
            case .list: "array"
            case .object, .map: "object"
            case .choice: "string"
            case .flag, .number, .decimal, .anything: nil
            }
          let path = route.pattern.replacing("{project}", with: ServerHome.project)
            .replacing(/\{[a-z]+\}/, with: "x")
          let response = await dispatcher.answer(
            ServerRequest(
              method: route.method.rawValue, path: path, query: "key=k",
              headers: [
                "authorization": "Bearer \(mode == .emulator ? "owner" : ServerHome.adminToken)"
              ], body: Array("{\"\(field.name)\":null}".utf8), peer: "192.0.2.1")
          ).response
          let text = String(decoding: response.body, as: UTF8.self)
          if let type {
            #expect(
              response.status == 400
                && text.contains(mode == .production ? ", null" : "/\(field.name) must be \(type)"),
              "\(route.name) \(field.name): \(text)")
          } else {
            #expect(!text.contains("/\(field.name) must be"), "\(route.name): \(text)")
          }
        }
      }
    }
  }

  /// JavaScript's `updateProfile(user, { displayName: null, photoURL: null })`.
  @Test(arguments: ServerMode.allCases)
  func `of a profile that are null leave it as it is`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let ada = try await home.openAccount(named: "Ada")
      let reply = try await home.post(
        ServerHome.update,
        [
          "idToken": .string(ada.idToken), "displayName": .null, "photoUrl": .null,
          "returnSecureToken": true,
        ])
      #expect(reply.status == 200, "\(reply.text)")
      #expect(reply.json["displayName"] == "Ada")
    }
  }
}
