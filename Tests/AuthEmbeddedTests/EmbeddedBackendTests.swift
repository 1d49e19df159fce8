import AuthClient
import AuthCore
import AuthEmbedded
import BuiltInProviders
import Foundation
import IdentityToolkitService
import SQLiteStore
import Testing

@Suite("A backend in the same process")
struct EmbeddedBackendTests {
  private func backend(_ mode: ServerMode) throws -> EmbeddedBackend {
    var options = ServiceOptions(project: "demo-shop")
    options.mode = mode
    options.passwordCost = PasswordHasher.Cost(memoryKiB: 64, iterations: 1, parallelism: 1)
    return EmbeddedBackend(
      store: try SQLiteStore.inMemory(), secrets: .ephemeral, options: options)
  }

  private func post(
    _ backend: EmbeddedBackend, _ path: String, service: BackendRequest.Service = .identityToolkit,
    apiKey: String = "demo key&1", _ body: JSONValue
  ) async throws -> (status: Int, body: JSONValue) {
    let response = try await backend.send(
      BackendRequest(
        service: service, path: path, apiKey: apiKey, headers: ["X-Firebase-Locale": "de"],
        body: Data(body.text.utf8)))
    return (response.status, try JSONValue(text: String(decoding: response.body, as: UTF8.self)))
  }

  @Test(arguments: ServerMode.allCases)
  func `an account is opened, looked up and its tokens renewed`(_ mode: ServerMode) async throws {
    let backend = try backend(mode)

    let opened = try await post(
      backend, "/v1/accounts:signUp",
      ["email": "ada@example.com", "password": "correct horse", "returnSecureToken": true])
    let token = try #require(opened.body["idToken"]?.stringValue)
    let found = try await post(backend, "/v1/accounts:lookup", ["idToken": .string(token)])
    let renewed = try await post(
      backend, "/v1/token", service: .secureToken,
      [
        "grant_type": "refresh_token",
        "refresh_token": opened.body["refreshToken"] ?? .null,
      ])

    #expect(opened.status == 200)
    guard case .array(let users) = found.body["users"] else {
      Issue.record("There are no users in the answer.")
      return
    }
    #expect(users.map { $0["email"] } == ["ada@example.com"])
    #expect(users.map { $0["localId"] } == [opened.body["localId"]])
    #expect(renewed.body["user_id"] == opened.body["localId"])
    let uid = AccountID(try #require(opened.body["localId"]?.stringValue))
    #expect(try await backend.graph.account(uid, in: Scope(project: "demo-shop")) != nil)
  }

  @Test func `errors are the protocol's`() async throws {
    let backend = try backend(.production)

    let wrong = try await post(
      backend, "/v1/accounts:signInWithPassword",
      ["email": "ada@example.com", "password": "wrong"])
    let nowhere = try await post(backend, "/v1/accounts:fly", [:])
    let keyless = try await post(backend, "/v1/accounts:signUp", apiKey: "", [:])
    let silent = try await post(
      backend, "/v1/accounts:sendOobCode",
      ["requestType": "EMAIL_SIGNIN", "email": "ada@example.com"])

    #expect(wrong.status == 400)
    #expect(wrong.body["error"]?["message"] == "INVALID_LOGIN_CREDENTIALS")
    #expect(nowhere.status == 404)
    #expect(keyless.status == 403)
    #expect(silent.status == 400)
    #expect(
      silent.body["error"]?["message"]?.stringValue?.hasPrefix("OPERATION_NOT_ALLOWED") == true)
  }

  @Test func `a cancelled caller gets an error, and nothing was written`() async throws {
    let backend = try backend(.production)
    let attempt = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await post(
        backend, "/v1/accounts:signUp", ["email": "ada@example.com", "password": "correct horse"])
    }

    await #expect(throws: CancellationError.self) { try await attempt.value }
    #expect(try await backend.graph.accountCount(in: Scope(project: "demo-shop")) == 0)
  }
}
