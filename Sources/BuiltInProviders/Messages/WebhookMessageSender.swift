public import AuthCore

/// Hands messages to an admin's own web service, which sends the SMS or the e-mail.
///
/// It POSTs JSON with `kind`, `project`, `tenant`, `recipient`, `code` (or `link`), `expiresAt` in RFC 3339 form,
/// `intent`, `requestedFrom`, `locale` and `concerning`. The header `Authgraph-Signature: t=SECONDS,v1=HEX` proves
/// the sender: HEX is the HMAC-SHA-256 of `SECONDS.BODY` under the shared secret. A receiver compares it, refuses
/// times that are some minutes off, and answers 2xx once it has accepted the message. A repeated message has the
/// same `Idempotency-Key`.
public struct WebhookMessageSender: MessageSender {
  private let webhook: Webhook

  /// Makes a sender for one service.
  ///
  /// - Parameters:
  ///   - transport: sends the requests.
  ///   - url: the address of the service.
  ///   - secret: the key that signs the requests, shared with the service.
  ///   - privateHosts: hosts, as `host` or `host:port`, that may be private and without TLS.
  ///   - clock: the time of the signature; tests pass their own.
  public init(
    transport: any HTTPTransport, url: String, secret: Secret<String>, privateHosts: [String] = [],
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now
  ) {
    webhook = Webhook(
      transport: transport, url: url, secret: secret, privateHosts: privateHosts, clock: clock)
  }

  /// Delivers a message once.
  ///
  /// Throws `quota-exceeded` if the service answers 429, and `network-request-failed` for every other answer but
  /// 2xx, or for none.
  public func send(_ message: OutgoingMessage) async throws {
    let body = Self.body(message)
    let response = try await webhook.post(
      body,
      idempotencyKey: String(webhook.authentication(of: "message.\(body)").prefix(32)))
    switch response.status {
    case 200..<300: return
    case 429:
      throw AuthError(
        .quotaExceeded, "The message service takes no more messages for now.",
        remedy: "Wait a while and try again.", step: .credential)
    default:
      throw AuthError(
        .networkRequestFailed,
        "The message service \(webhook.host) answered \(response.status).",
        remedy: "Read the log of the message service.", step: .credential)
    }
  }

  private static func body(_ message: OutgoingMessage) -> String {
    let proof = message.kind.carriesLink ? "link" : "code"
    return JSONValue.object([
      "kind": .string(message.kind.rawValue), "project": .string(message.scope.project),
      "tenant": .optional(message.scope.tenant), "recipient": .string(message.recipient),
      proof: .string(message.proof.reveal()), "expiresAt": .string(message.expiresAt.text),
      "intent": .string(message.intent), "requestedFrom": .optional(message.requestedFrom),
      "locale": .optional(message.locale), "concerning": .optional(message.concerning),
    ]).text
  }
}
