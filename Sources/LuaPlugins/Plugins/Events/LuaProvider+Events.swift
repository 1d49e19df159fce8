public import AuthCore
import BuiltInProviders
import Crypto
import LuaRuntime

extension LuaProvider {
  /// True if the file has a function `events`.
  public func receivesEvents(_ settings: ProviderSettings) -> Bool {
    declared.receivesEvents(settings)
  }

  /// Verifies a vendor's request with the function `events`.
  ///
  /// Throws `invalid-credential` for a refusal, or `plugin-failed`.
  public func events(
    _ request: ProviderEventRequest, _ context: VerificationContext
  ) async throws -> ProviderEventReport {
    try await declared.events(request, context)
  }
}

extension LoadedPlugin {
  /// The events of the function `events`; nil without one.
  var events: EventRule? {
    guard declaration.functions.contains("events") else { return nil }
    return EventRule { request, session in
      let session = try PluginSession.of(session)
      let answer = try await self.runner.call(
        "events", [.json(request.lua), .http, .settings], session)
      guard case .json(let value) = answer else {
        throw self.runner.outOfOrder("events returned an identity", nil, session)
      }
      let digest = Base64.url.text(SHA256.hash(data: request.body))
      return try EventAnswer(value, digest: digest, now: session.now).report
    }
  }
}

extension ProviderEventRequest {
  /// The request as a function sees it.
  fileprivate var lua: JSONValue {
    var members: [String: JSONValue] = [
      "method": .string(method), "topic": .optional(topic), "body": .string(text),
      "headers": .object(headers.mapValues { .string($0) }),
      "query": .object(query.mapValues { .string($0) }),
    ]
    if mediaType == "application/x-www-form-urlencoded" {
      let fields = URLText.fields(of: text, atMost: 100) ?? []
      members["form"] = .object(
        Dictionary(
          fields.map { ($0.name, .string($0.value)) }, uniquingKeysWith: { _, last in last }))
    } else {
      members["json"] = (try? JSONValue(strict: body)) ?? .null
    }
    return .object(members)
  }
}
