/// A message that was committed with what it tells of, and waits in the store to be sent.
///
/// Its record lies among those of the servers, whatever scope the message is from, and is named by the time at which it
/// is due: the first record is the next one. The whole message is sealed, so that a store alone gives nobody a code.
struct WaitingMessage: Sendable {
  /// What is sealed of a message.
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
    /// Whether it goes to nobody: it was kept so that an address without an account takes the same work.
    let isForNobody: Bool
  }

  let handle: String
  let dueAt: Timestamp
  let attempts: Int
  private let expiresAt: Timestamp
  private let sealed: String

  /// Seals a new message, which is due at once.
  init(
    _ message: OutgoingMessage, about account: AccountID?, isForNobody: Bool, handle: String,
    sealedBy secrets: any SecretSealing, at now: Timestamp
  ) throws {
    let content = Content(
      kind: message.kind, scope: message.scope, recipient: message.recipient,
      proof: message.proof.reveal(), expiresAt: message.expiresAt,
      requestedFrom: message.requestedFrom, intent: message.intent, locale: message.locale,
      concerning: message.concerning, account: account, isForNobody: isForNobody)
    self.handle = handle
    dueAt = now
    attempts = 0
    expiresAt = message.expiresAt
    sealed = try secrets.seal(try JSONText.encode(content), for: Self.purpose(handle))
  }

  /// Reads a record; nil for one that is none of these.
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

  /// The same message at another time.
  func due(at time: Timestamp, attempts: Int) -> WaitingMessage {
    WaitingMessage(self, dueAt: time, attempts: attempts)
  }

  var record: OneTimeRecord {
    OneTimeRecord(
      id: id, kind: .message, expiresAt: expiresAt, attempts: attempts, content: sealed)
  }

  /// Sorts by time: as many digits as the latest time of all has.
  var id: String {
    let digits = String(max(0, dueAt.milliseconds))
    return "message:\(String(repeating: "0", count: max(0, 15 - digits.count)))\(digits):\(handle)"
  }

  /// Opens it for whoever sends it; throws `internal-error` where it was sealed with another key.
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
