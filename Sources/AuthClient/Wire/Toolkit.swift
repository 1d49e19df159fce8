import AuthValues
import Foundation
import IdentityToolkit

/// Speaks the protocol: writes requests, reads answers, turns refusals into errors.
struct Toolkit: Sendable {
  let backend: any AuthBackend
  let apiKey: String
  let languageCode: String?
  let tenantID: String?

  /// Asks for an operation; throws an error of `FIRAuthErrorDomain`.
  func call(
    _ operation: Operation, _ members: [String: JSONValue]
  ) async throws -> WireFields {
    var members = members
    // An ID token says itself which tenant its account is of, whatever tenant sign-ins are about by now.
    if operation != .token, members["idToken"] == nil, let tenantID {
      members["tenantId"] = .string(tenantID)
    }
    let request = BackendRequest(
      service: operation.service, path: operation.rawValue, apiKey: apiKey, headers: headers,
      body: try JSONEncoder().encode(JSONValue.object(members)))
    let response: BackendResponse
    do {
      response = try await backend.send(request)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw NSError.noAnswer(error)
    }
    guard (200..<300).contains(response.status) else {
      throw NSError.refusal(status: response.status, body: response.body)
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
  /// Says that an answer of success lacks what it is asked for.
  static func answer(without member: String) -> NSError {
    unexpectedAnswer("It has no \(member).", status: 200, body: Data())
  }
}

extension WireFields {
  /// A text that an answer may have; one of another type counts as absent.
  func string(_ name: String) -> String? {
    guard let text = try? text(name), !text.isEmpty else { return nil }
    return text
  }

  func flag(_ name: String) -> Bool { (try? bool(name)) ?? false }

  func items(_ name: String) -> [WireFields] { (try? objects(name)) ?? [] }
}
