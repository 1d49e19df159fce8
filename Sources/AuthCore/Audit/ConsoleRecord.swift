/// A part of an admin's session in a console, as the audit keeps it: the inputs, without those that may hold a secret.
///
/// The first part, without inputs, is kept when the session begins; the last says that it ended, unless the process was
/// killed. All have the same ID. The events of its writes have that ID as their
/// ``AuditEvent/requestID``.
public struct ConsoleRecord: Hashable, Sendable {
  /// An input of the session.
  public struct Input: Hashable, Sendable {
    /// The time at which it was run.
    public let at: Timestamp
    /// The text; nil if it may hold a secret.
    public let text: String?
    /// The error's code; nil if it ran to its end.
    public let errorCode: String?

    /// Makes an input.
    public init(at: Timestamp, text: String?, errorCode: String? = nil) {
      self.at = at
      self.text = text
      self.errorCode = errorCode
    }
  }

  /// The session's ID.
  public let id: String
  /// The time at which the session began.
  public let begunAt: Timestamp
  /// The terminal, and the address from which it is used, as far as they are known.
  public let origin: String?
  /// The number of the part, from 1.
  public internal(set) var part = 1
  /// The inputs of the part.
  public internal(set) var inputs: [Input] = []

  /// True for the last part, which is kept when the session ends.
  public var isOver = false

  /// Makes the first part of a session.
  public init(id: String, begunAt: Timestamp, origin: String?) {
    self.id = id
    self.begunAt = begunAt
    self.origin = origin
  }

  /// True if the part has as much as one event may have.
  public var isFull: Bool {
    inputs.count >= 100 || inputs.reduce(0) { $0 + ($1.text?.utf8.count ?? 0) } > 32_768
  }

  /// Adds an input, whose text is cut to its bounds.
  public mutating func append(_ input: Input) {
    inputs.append(
      Input(at: input.at, text: input.text.map(TextBounds.detail.cut), errorCode: input.errorCode))
  }

  /// Begins the next part.
  public mutating func next() {
    part += 1
    inputs = []
  }
}

extension ConsoleRecord {
  fileprivate var details: JSONValue {
    [
      "session": .string(id), "begunAt": .string(begunAt.text), "part": .integer(Int64(part)),
      "origin": .optional(origin), "ended": .bool(isOver),
      "inputs": .array(
        inputs.map { input in
          var members: [String: JSONValue] = ["at": .string(input.at.text)]
          members["text"] = input.text.map(JSONValue.string)
          members["error"] = input.errorCode.map(JSONValue.string)
          return .object(members)
        }),
    ]
  }
}

extension AccountGraph {
  /// Keeps a part of a session in the audit.
  public func keep(_ record: ConsoleRecord, by caller: Caller) async throws {
    let now = clock()
    let event = AuditEvent(
      id: newEventID(at: now), by: caller, at: now, action: .consoleSession, accountID: nil,
      details: record.details)
    try await store.write { try $0.append(event) }
  }

  /// Returns the parts of the newest sessions, newest first.
  public func consoleSessions(limit: Int, in scope: Scope) async throws -> [AuditEvent] {
    var filter = EventFilter()
    filter.action = .consoleSession
    return try await store.read(from: .replica) { [filter] reader in
      var found: [AuditEvent] = []
      var sessions: Set<String> = []
      var last: Int64?
      while true {
        let events = try reader.events(matching: filter, before: last, limit: 100, in: scope)
        for event in events {
          sessions.insert(event.requestID ?? "")
          if sessions.count > limit { return found }
          found.append(event)
        }
        guard events.count == 100 else { return found }
        last = events.last?.sequence
      }
    }
  }
}
