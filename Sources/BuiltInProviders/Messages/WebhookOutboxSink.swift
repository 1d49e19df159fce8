public import AuthCore

/// Reports changes of accounts to an app's own server.
///
/// It POSTs JSON with `id`, `sequence`, `action`, `project`, `tenant`, `at` in RFC 3339 form, `accountID`,
/// `relatedIDs`, and for a merge `mergedFrom`. The header `Authgraph-Signature` is made like that of
/// ``WebhookMessageSender``; `Idempotency-Key` is the event's ID. A receiver answers 2xx once it has accepted the
/// event.
public struct WebhookOutboxSink: OutboxSink {
  private let webhook: Webhook

  /// Makes a sink for one server.
  ///
  /// - Parameters:
  ///   - transport: sends the requests.
  ///   - url: the address of the app's server.
  ///   - secret: the key that signs the requests, shared with the server.
  ///   - privateHosts: hosts, as `host` or `host:port`, that may be private and without TLS.
  ///   - clock: the time of the signature; tests pass their own.
  public init(
    transport: any HTTPTransport, url: String, secret: Secret<String>, privateHosts: [String] = [],
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) {
    webhook = Webhook(
      transport: transport, url: url, secret: secret, privateHosts: privateHosts, clock: clock)
  }

  /// Delivers an event once; throws `network-request-failed` for every answer but 2xx, or for none.
  public func deliver(_ event: AuditEvent) async throws {
    let response = try await webhook.post(Self.body(event), idempotencyKey: event.id)
    guard (200..<300).contains(response.status) else {
      throw AuthError(
        .networkRequestFailed,
        "The server of the app \(webhook.host) answered \(response.status).",
        remedy: "Read the log of that server.", step: .exchange)
    }
  }

  private static func body(_ event: AuditEvent) -> String {
    var members: [String: JSONValue] = [
      "id": .string(event.id), "sequence": .integer(event.sequence),
      "action": .string(event.action.rawValue), "project": .string(event.scope.project),
      "tenant": .optional(event.scope.tenant), "at": .string(event.at.text),
      "accountID": .optional(event.accountID?.rawValue),
      "relatedIDs": .array(event.relatedIDs.map { .string($0.rawValue) }),
    ]
    if event.action == .merge {
      members["mergedFrom"] = .array(event.mergedFrom.map { .string($0.rawValue) })
    }
    return JSONValue.object(members).text
  }
}
