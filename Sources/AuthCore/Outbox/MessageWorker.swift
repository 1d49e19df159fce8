/// Sends waiting messages: each at least once, with growing pauses between retries.
///
/// Several workers may run on one store; a lease gives each message to one of them. A message is given up when its code
/// has expired, after too many attempts, or at once if a retry cannot help.
struct MessageWorker: Sendable {
  let graph: AccountGraph
  let schedule: OutboxWorker.Schedule
  let report: @Sendable (MessageFailure) -> Void

  private var store: any AccountStore { graph.store }

  /// The longest time in seconds before the store is asked for messages again.
  private static let longestRest: Int64 = 60

  /// Sends the due messages in parallel; returns the seconds until the next is due, or nil if none waits.
  ///
  /// Throws an error of the store, after every leased message was tried.
  func run() async throws -> Int64? {
    try await withTaskGroup(of: Result<Void, any Error>.self) { group in
      var open = 0
      var failure: (any Error)?
      while true {
        do {
          let taken = failure == nil ? try await take(limit: schedule.batch - open) : []
          for message in taken { group.addTask { await deliver(message) } }
          open += taken.count
        } catch {
          failure = error
        }
        // A new message need not wait for all of the present batch.
        guard let outcome = await group.next() else {
          return Result { if let failure { throw failure } }
        }
        open -= 1
        if case .failure(let error) = outcome { failure = failure ?? error }
      }
    }.get()
    guard let next = try await first() else { return nil }
    let rest = (next.dueAt.milliseconds - graph.clock().milliseconds + 999) / 1000
    return min(max(1, rest), Self.longestRest)
  }

  private func first() async throws -> WaitingMessage? {
    try await store.read { try Self.page($0, limit: 1) }.first
  }

  private static func page(_ reader: any AccountReader, limit: Int) throws -> [WaitingMessage] {
    try reader.oneTimeRecords(.message, after: nil, limit: limit, in: .servers)
      .compactMap(WaitingMessage.init)
  }

  /// Leases the due messages, so that no other worker takes them before the lease ends.
  private func take(limit: Int) async throws -> [WaitingMessage] {
    let now = graph.clock()
    guard limit > 0, let first = try await first(), first.dueAt <= now else { return [] }
    let leaseEnd = now.adding(seconds: schedule.lease)
    return try await store.write { writer in
      let due = try Self.page(writer, limit: limit).filter { $0.dueAt <= now }
      return try due.map { message in
        let mine = message.due(at: leaseEnd, attempts: message.attempts + 1)
        try Self.replace(message, by: mine, writer)
        return mine
      }
    }
  }

  /// Sends one message; fails with an error of the store.
  private func deliver(_ waiting: WaitingMessage) async -> Result<Void, any Error> {
    do {
      if let (content, error) = await attempt(waiting) {
        try await fail(waiting, content, error)
      } else {
        try await store.write { try $0.removeOneTimeRecord(waiting.id, in: .servers) }
      }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private typealias Failed = (content: WaitingMessage.Content?, error: any Error)

  /// Tries to send a message; returns the failure, or nil.
  private func attempt(_ waiting: WaitingMessage) async -> Failed? {
    var content: WaitingMessage.Content?
    do {
      let opened = try waiting.content(openedBy: graph.services.secrets)
      content = opened
      if !opened.isForNobody { try await send(opened) }
      return nil
    } catch {
      return (content, error)
    }
  }

  private func send(_ content: WaitingMessage.Content) async throws {
    guard content.expiresAt > graph.clock() else {
      throw AuthError(
        .codeExpired, "The code expired before its message was sent.",
        remedy: "Read the server's log for the errors of the message sender.")
    }
    try await graph.services.messages.send(content.message)
  }

  /// Postpones a message, or gives it up and records that in the audit of its scope.
  private func fail(
    _ waiting: WaitingMessage, _ content: WaitingMessage.Content?, _ error: any Error
  ) async throws {
    // A cancelled attempt leaves the message, which is due again after the lease.
    if error is CancellationError { return }
    let now = graph.clock()
    let next = now.adding(seconds: schedule.pause(after: waiting.attempts))
    let code = (error as? AuthError)?.code ?? .internalError
    let isOver = content.map { $0.expiresAt <= next } ?? false
    let isGivenUp =
      isOver || waiting.attempts >= schedule.attempts || Self.lasting.contains(code)
    report(MessageFailure(kind: content?.kind, error: error, isGivenUp: isGivenUp))
    let event = content.map { content in
      let refusal = error as? AuthError ?? AuthError(code, "The message could not be sent.")
      var trace = Trace()
      trace.note(refusal: refusal, of: .message)
      return AuditEvent(
        id: graph.newEventID(at: now), scope: content.scope, at: now, actor: "messages",
        reason: nil, action: .sendMessage, accountID: content.account, errorCode: code.rawValue,
        details: [
          "kind": .string(content.kind.rawValue), "attempts": .integer(Int64(waiting.attempts)),
        ], trace: trace)
    }
    try await store.write { writer in
      // Another worker may have leased it after this lease ended.
      guard try writer.oneTimeRecord(waiting.id, in: .servers) != nil else { return }
      guard isGivenUp else {
        return try Self.replace(
          waiting, by: waiting.due(at: next, attempts: waiting.attempts), writer)
      }
      try writer.removeOneTimeRecord(waiting.id, in: .servers)
      if let event { try writer.append(event) }
    }
  }

  /// The codes of failures that a retry cannot resolve.
  private static let lasting: Set<AuthError.Code> = [
    .codeExpired, .invalidEmail, .invalidPhoneNumber, .operationNotAllowed,
  ]

  private static func replace(
    _ old: WaitingMessage, by new: WaitingMessage, _ writer: any AccountWriter
  ) throws {
    try writer.removeOneTimeRecord(old.id, in: .servers)
    try writer.save(new.record, in: .servers)
  }
}

/// The failure of a message.
public struct MessageFailure: Sendable {
  /// The kind of the message; nil if it could not be opened.
  public let kind: OutgoingMessage.Kind?
  /// The error of the sender or of the sealing.
  public let error: any Error
  /// True if it is not tried again.
  public let isGivenUp: Bool
}
