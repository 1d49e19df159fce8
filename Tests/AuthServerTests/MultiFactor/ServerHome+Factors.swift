import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

extension ServerHome {
  /// Enrols a phone as a second factor, and returns the answer with the new tokens.
  @discardableResult
  func enroll(_ number: String, _ idToken: String, name: String? = nil) async throws -> Reply {
    let begun = try await post(
      "/v2/accounts/mfaEnrollment:start",
      ["idToken": .string(idToken), "phoneEnrollmentInfo": ["phoneNumber": .string(number)]])
    try #require(begun.status == 200, "\(begun.text)")
    var body: [String: JSONValue] = [
      "idToken": .string(idToken),
      "phoneVerificationInfo": [
        "sessionInfo": try #require(begun.json["phoneSessionInfo"]?["sessionInfo"]),
        "code": .string(try #require(messages.last(to: number)).proof.reveal()),
      ],
    ]
    if let name { body["displayName"] = .string(name) }
    let done = try await post("/v2/accounts/mfaEnrollment:finalize", .object(body))
    try #require(done.status == 200, "\(done.text)")
    return done
  }

  /// Proves the first second factor in the hints of an answer.
  func showPhone(_ pending: Reply, _ number: String) async throws -> Reply {
    let credential = try #require(pending.json["mfaPendingCredential"], "\(pending.text)")
    guard case .array(let hints)? = pending.json["mfaInfo"] else { return pending }
    let begun = try await post(
      "/v2/accounts/mfaSignIn:start",
      [
        "mfaPendingCredential": credential,
        "mfaEnrollmentId": try #require(hints.first?["mfaEnrollmentId"]),
        "phoneSignInInfo": ["phoneNumber": "+*******0000"],
      ])
    try #require(begun.status == 200, "\(begun.text)")
    return try await post(
      "/v2/accounts/mfaSignIn:finalize",
      [
        "mfaPendingCredential": credential,
        "phoneVerificationInfo": [
          "sessionInfo": try #require(begun.json["phoneResponseInfo"]?["sessionInfo"]),
          "code": .string(try #require(messages.last(to: number)).proof.reveal()),
        ],
      ])
  }
}
