import AuthCore
import AuthTesting
import Foundation
import Testing

@testable import IdentityToolkitService

/// An account, as a client of the server knows it.
struct Person: Sendable {
  let uid: String
  let email: String
  let idToken: String

  static let password = "correct horse"
}

/// Returns the parameters of a link.
func parameters(of link: String) -> [String: String] {
  let items = URLComponents(string: link)?.queryItems ?? []
  return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { a, _ in a })
}

/// Returns the claims of an ID token, unverified.
func claims(of token: String) throws -> JSONValue {
  let part = try #require(token.split(separator: ".").dropFirst().first)
  let text = String(part).replacing("-", with: "+").replacing("_", with: "/")
  let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
  let data = try #require(Data(base64Encoded: padded))
  return try JSONValue(text: String(decoding: data, as: UTF8.self))
}

extension ServerHome {
  /// Makes an account with a password and a verified address, and signs in.
  func person(_ email: String = "ada@example.com", verified: Bool = true) async throws -> Person {
    let made = try await admin(
      "POST", "/v1/projects/\(Self.project)/accounts",
      [
        "email": .string(email), "password": .string(Person.password),
        "emailVerified": .bool(verified),
      ])
    #expect(made.status == 200, "\(made.text)")
    return try await signedIn(email)
  }

  /// Signs the same person in again.
  func signedIn(_ email: String, _ password: String = Person.password) async throws -> Person {
    let reply = try await signIn(email, password)
    return Person(
      uid: try reply.text("localId"), email: email, idToken: try reply.text("idToken"))
  }

  func signIn(_ email: String, _ password: String = Person.password) async throws -> Reply {
    try await post(
      "/v1/accounts:signInWithPassword",
      ["email": .string(email), "password": .string(password), "returnSecureToken": true])
  }

  /// Requests a code by e-mail, and returns the link that was sent.
  @discardableResult
  func link(_ type: String, to email: String, _ more: [String: JSONValue] = [:]) async throws
    -> String
  {
    var body = more
    body["requestType"] = .string(type)
    if body["idToken"] == nil { body["email"] = .string(email) }
    let reply = try await post("/v1/accounts:sendOobCode", .object(body))
    try #require(reply.status == 200, "\(reply.text)")
    return try #require(messages.last(to: email)).proof.reveal()
  }

  /// Requests a code by e-mail, and returns the code that was sent.
  func code(_ type: String, to email: String, _ more: [String: JSONValue] = [:]) async throws
    -> String
  {
    try #require(parameters(of: try await link(type, to: email, more))["oobCode"])
  }

  /// Requests a code to a phone, and returns its session and the code that was sent.
  func phoneCode(_ number: String) async throws -> (session: String, code: String) {
    let reply = try await post(
      "/v1/accounts:sendVerificationCode", ["phoneNumber": .string(number)])
    try #require(reply.status == 200, "\(reply.text)")
    return (
      try reply.text("sessionInfo"), try #require(messages.last(to: number)).proof.reveal()
    )
  }

  /// Returns the entries of an emulator's list.
  func listed(_ list: String) async throws -> [JSONValue] {
    let reply = try await call("GET", "/emulator/v1/projects/\(Self.project)/\(list)")
    #expect(reply.status == 200)
    guard case .array(let entries)? = reply.json[list] else { return [] }
    return entries
  }

  func lookUp(_ idToken: String) async throws -> JSONValue {
    let reply = try await post("/v1/accounts:lookup", ["idToken": .string(idToken)])
    guard case .array(let users)? = reply.json["users"] else {
      Issue.record("no users in \(reply.text)")
      return .null
    }
    return try #require(users.first)
  }

  func change(_ change: @escaping @Sendable (inout ProjectSettings) -> Void) async throws {
    _ = try await graph.changeSettings(by: admin, change)
  }
}
