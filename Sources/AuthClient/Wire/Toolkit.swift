import AuthValues
import Foundation
import IdentityToolkit

/// The client's side of the protocol: writes requests, reads answers, and turns refusals into errors.
struct Toolkit: Sendable {
  let backend: any AuthBackend
  let apiKey: String
  let languageCode: String?
  let tenantID: String?

  /// Calls an operation; throws an error of `FIRAuthErrorDomain` or `CancellationError`.
  func call(
    _ operation: Operation, _ members: [String: JSONValue]
  ) async throws -> WireFields {
    var members = members
    // An ID token names its account's tenant, whatever the tenant of new sign-ins.
    if operation != .token, members["idToken"] == nil, let tenantID {
      members["tenantId"] = .string(tenantID)
    }
    let request = BackendRequest(
      service: operation.service, path: operation.rawValue, apiKey: apiKey, headers: headers,
      body: try JSONEncoder().encode(JSONValue.object(members)))
    let response: BackendResponse
    do {
      response = try await backend.send(request)
    } catch {
      if error is CancellationError || Task.isCancelled { throw CancellationError() }
      throw NSError.noAnswer(error)
    }
    guard (200..<300).contains(response.status) else {
      throw NSError.refusal(
        status: response.status, body: response.body, cause: response.cause)
    }
    guard let value = try? JSONValue(text: String(decoding: response.body, as: UTF8.self)),
      let fields = try? WireFields(value)
    else {
      throw NSError.unexpectedAnswer(
        "It is no JSON object.", status: response.status, body: response.body)
    }
    return fields
  }

  private var headers: [String: String] {
    var headers = ["X-Client-Version": "Swift/AuthGraph"]
    if let languageCode { headers["X-Firebase-Locale"] = languageCode }
    return headers
  }
}

extension NSError {
  /// Returns the error for a successful answer without a required member.
  static func answer(without member: String) -> NSError {
    unexpectedAnswer("It has no \(member).", status: 200, body: Data())
  }
}

extension WireFields {
  /// Returns a text; nil if it is absent, empty or of another type.
  func string(_ name: String) -> String? {
    guard let text = try? text(name), !text.isEmpty else { return nil }
    return text
  }

  func flag(_ name: String) -> Bool { (try? bool(name)) ?? false }

  func items(_ name: String) -> [WireFields] { (try? objects(name)) ?? [] }
}
