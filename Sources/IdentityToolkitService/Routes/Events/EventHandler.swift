import AuthCore
import IdentityToolkit

/// Events about people that a vendor sends, and the page on which a person reads the state of one.
struct EventHandler: RequestHandler {
  let call: Call

  private var provider: ProviderID { ProviderID(path["provider"] ?? "") }

  /// Takes a vendor's events; a refusal is answered as RFC 8935 has it, and tells nothing about accounts.
  func receive() async throws -> Answer {
    try await services.scopes.require(scope)
    guard call.bytes.count <= ProviderEventRequest.maximumBytes else {
      return Self.refusal(413, "invalid_request", "The body is too long.")
    }
    let request = ProviderEventRequest(
      topic: path["event"], query: query.members.compactMapValues(\.stringValue),
      headers: call.headers, body: call.bytes, statusAddress: statusAddress)
    do {
      let response = try await graph.receiveEvents(
        of: provider, request, in: scope, client: client)
      return .reply(
        Array(response.body.utf8), type: response.contentType, status: response.status,
        headers: ["Cache-Control": "no-store"])
    } catch let error as AuthError {
      return try Self.answer(error)
    }
  }

  /// Shows whether an event with this ID came; Facebook's confirmation code is such an ID.
  func state() async throws -> Answer {
    try await services.scopes.require(scope)
    let id = path["event"] ?? ""
    let isID = !id.isEmpty && id.utf8.count <= 64 && id.utf8.allSatisfy(Self.isIDByte)
    let isKnown =
      isID ? try await graph.memory(ofEvent: id, of: provider, in: scope) != nil : false
    return EventPage.state(of: isKnown ? id : nil)
  }

  private var statusAddress: String {
    let tenant = tenant.map { "/tenants/\(URLText.escaped($0))" } ?? ""
    return "\(services.settings.publicURL)/v1/projects/\(URLText.escaped(project))\(tenant)"
      + "/providers/\(URLText.escaped(provider.rawValue))/events/"
  }

  private static func isIDByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension EventHandler {
  /// Makes the answer to an error; faults of the server are thrown on.
  private static func answer(_ error: AuthError) throws -> Answer {
    switch error.code {
    case .invalidCredential, .invalidArgument:
      return refusal(400, code(for: error.field), error.message)
    case .operationNotAllowed, .invalidProviderID:
      return refusal(404, "access_denied", "The provider takes no events here.")
    case .tooMuchContention:
      return refusal(
        503, "invalid_request", "The event cannot be stored now.", headers: ["Retry-After": "1"])
    case .networkRequestFailed:
      // The vendor sends the event again later.
      return refusal(
        503, "invalid_key", "The vendor's keys cannot be fetched now.",
        headers: ["Retry-After": "60"])
    case .pluginFailed:
      return refusal(500, "invalid_request", error.message)
    default: throw error
    }
  }

  /// The error code of RFC 8935 for the part of a request that is at fault.
  private static func code(for field: String?) -> String {
    switch field {
    case "iss": "invalid_issuer"
    case "aud": "invalid_audience"
    case "kid", "alg", "signature": "invalid_key"
    default: "invalid_request"
    }
  }

  private static func refusal(
    _ status: Int, _ code: String, _ description: String, headers: [String: String] = [:]
  ) -> Answer {
    let own = ["Content-Language": "en", "Cache-Control": "no-store"]
    return .json(
      ["err": .string(code), "description": .string(description)], status: status,
      headers: headers.merging(own) { given, _ in given })
  }
}
