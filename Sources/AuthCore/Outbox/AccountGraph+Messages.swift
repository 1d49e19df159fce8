/// The link and the wording of a message with a code.
public struct ActionCodeLetter: Sendable {
  /// Makes the link for a code.
  public var link: @Sendable (ActionCode) -> Secret<String>
  /// The origin of the request as the recipient sees it.
  public var requestedFrom: String?
  /// The language that the recipient reads.
  public var locale: String?

  /// Makes a letter.
  public init(
    requestedFrom: String? = nil, locale: String? = nil,
    link: @escaping @Sendable (ActionCode) -> Secret<String>
  ) {
    self.link = link
    self.requestedFrom = requestedFrom
    self.locale = locale
  }
}

/// Messages that are sent after the answer, by a ``MessageCourier``.
extension AccountGraph {
  /// Makes a code and stores its message for sending, in one commit.
  ///
  /// If the scope hides who has an account, an unknown address takes the same work, including a message that is not
  /// sent. Throws like ``makeActionCode(_:by:)``, or `operation-not-allowed` if no sender is configured.
  public func sendActionCode(
    _ request: ActionCodeRequest, as letter: ActionCodeLetter, by caller: Caller
  ) async throws {
    try caller.cannotRehearse("A code")
    try services.messages.check(request.operation.message)
    let now = clock()
    try await store.write { writer in
      let transaction = CallerTransaction(writer: writer, caller: caller, now: now)
      guard let made = try make(request, in: transaction) else { return }
      let waiting = try waiting(
        try message(around: made.issued, letter, caller), about: made.account,
        isDecoy: made.isDecoy)
      try writer.save(waiting.record, in: .servers)
    }
  }

  /// Stores the message for a code that a change has made.
  ///
  /// It goes to the address of the code, or to the new one for a change of the address.
  public func sendActionCode(
    _ issued: ActionCode, as letter: ActionCodeLetter, of account: AccountID? = nil,
    by caller: Caller
  ) async throws {
    try caller.cannotRehearse("Sending a code")
    try services.messages.check(issued.info.operation.message)
    let waiting = try waiting(try message(around: issued, letter, caller), about: account)
    try await store.write { try $0.save(waiting.record, in: .servers) }
  }

  private func waiting(
    _ message: OutgoingMessage, about account: AccountID?, isDecoy: Bool = false
  ) throws -> WaitingMessage {
    try WaitingMessage(
      message, about: account, isDecoy: isDecoy, handle: RandomText.handle(random),
      sealedBy: services.quietSecrets, at: clock())
  }

  private func message(
    around issued: ActionCode, _ letter: ActionCodeLetter, _ caller: Caller
  ) throws(AuthError) -> OutgoingMessage {
    let info = issued.info
    let isChange = info.operation == .verifyAndChangeEmail
    let recipient = isChange ? info.newEmail ?? info.email : info.email
    // An old store may have an address that a mail server reads as another one.
    try recipient.checkSpecials()
    return OutgoingMessage(
      kind: info.operation.message, scope: caller.scope, recipient: recipient.canonical,
      proof: letter.link(issued), expiresAt: issued.expiresAt,
      requestedFrom: letter.requestedFrom, intent: info.operation.intent, locale: letter.locale,
      concerning: isChange ? info.email.text : info.newEmail?.text ?? info.factor?.description)
  }
}
