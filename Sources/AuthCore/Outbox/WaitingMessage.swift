/// A message that was committed together with its cause, and waits in the store to be sent.
///
/// Its record is in the servers' scope, whatever scope the message comes from. The record's name begins with its due
/// time, so that the first record is the next one. The whole message is sealed, so that a stolen store yields no code.
struct WaitingMessage: Sendable {
  /// The sealed content of a message.
  struct Content: Codable {
    let kind: OutgoingMessage.Kind
    let scope: Scope
    let recipient: String
    let proof: String
    let expiresAt: Timestamp
    let requestedFrom: String?
    let intent: String
    let locale: String?
    let concerning: String?
    let account: AccountID?
    /// True if it is not sent: it exists so that an unknown address takes the same work.
    ///
    /// The stored record has this name.
    let isForNobody: Bool
  }

  let handle: String
  let dueAt: Timestamp
  let attempts: Int
  private let expiresAt: Timestamp
  private let sealed: String

  /// Seals a new message, which is due at once.
  init(
    _ message: OutgoingMessage, about account: AccountID?, isDecoy: Bool, handle: String,
    sealedBy secrets: any SecretSealing, at now: Timestamp
  ) throws {
    let content = Content(
      kind: message.kind, scope: message.scope, recipient: message.recipient,
      proof: message.proof.reveal(), expiresAt: message.expiresAt,
      requestedFrom: message.requestedFrom, intent: message.intent, locale: message.locale,
      concerning: message.concerning, account: account, isForNobody: isDecoy)
    self.handle = handle
    dueAt = now
    attempts = 0
    expiresAt = message.expiresAt
    sealed = try secrets.seal(try JSONText.encode(content), for: Self.purpose(handle))
  }

  /// Reads a record; nil if it is no waiting message.
  init?(_ record: OneTimeRecord) {
    let parts = record.id.split(separator: ":")
    guard parts.count == 3, let time = Int64(parts[1]) else { return nil }
    handle = String(parts[2])
    dueAt = Timestamp(milliseconds: time)
    attempts = record.attempts
    expiresAt = record.expiresAt
    sealed = record.content
  }

  private init(_ other: WaitingMessage, dueAt: Timestamp, attempts: Int) {
    handle = other.handle
    expiresAt = other.expiresAt
    sealed = other.sealed
    self.dueAt = dueAt
    self.attempts = attempts
  }

  /// Returns the same message with another due time.
  func due(at time: Timestamp, attempts: Int) -> WaitingMessage {
    WaitingMessage(self, dueAt: time, attempts: attempts)
  }

  var record: OneTimeRecord {
    OneTimeRecord(
      id: id, kind: .message, expiresAt: expiresAt, attempts: attempts, content: sealed)
  }

  /// The ID, which sorts by due time because the number has a fixed length.
  var id: String {
    let digits = String(max(0, dueAt.milliseconds))
    return "message:\(String(repeating: "0", count: max(0, 15 - digits.count)))\(digits):\(handle)"
  }

  /// Opens the content; throws `internal-error` if it was sealed with another key.
  func content(openedBy secrets: any SecretSealing) throws -> Content {
    try JSONText.decode(Content.self, try secrets.open(sealed, for: Self.purpose(handle)))
  }

  static func purpose(_ handle: String) -> String { "message \(handle)" }
}

extension WaitingMessage.Content {
  var message: OutgoingMessage {
    OutgoingMessage(
      kind: kind, scope: scope, recipient: recipient, proof: Secret(proof), expiresAt: expiresAt,
      requestedFrom: requestedFrom, intent: intent, locale: locale, concerning: concerning)
  }
}
