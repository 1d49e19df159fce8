/// How a code is written to its recipient.
public struct ActionCodeLetter: Sendable {
  /// Composes the link around a code.
  public var link: @Sendable (IssuedActionCode) -> Secret<String>
  /// What the recipient is told about who asked.
  public var requestedFrom: String?
  /// The language that the person reads.
  public var locale: String?

  public init(
    requestedFrom: String? = nil, locale: String? = nil,
    link: @escaping @Sendable (IssuedActionCode) -> Secret<String>
  ) {
    self.link = link
    self.requestedFrom = requestedFrom
    self.locale = locale
  }
}

/// Messages that leave after the answer, taken out of the store by a ``MessageCourier``.
extension AccountGraph {
  /// Makes a code and keeps its message to be sent, in one commit.
  ///
  /// Where the scope's answers keep to themselves who has an account, an address that nobody has takes the same work,
  /// down to a message that goes to nobody. Throws like ``makeActionCode(_:by:)``, or `operation-not-allowed` where
  /// there is no way to send it.
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
        isForNobody: made.isForNobody)
      try writer.save(waiting.record, in: .servers)
    }
  }

  /// Keeps the message around a code that a change has made, to be sent.
  ///
  /// It goes to the address that the code was made for; to the new one where it changes to that.
  public func sendActionCode(
    _ issued: IssuedActionCode, as letter: ActionCodeLetter, of account: AccountID? = nil,
    by caller: Caller
  ) async throws {
    try caller.cannotRehearse("Sending a code")
    try services.messages.check(issued.info.operation.message)
    let waiting = try waiting(try message(around: issued, letter, caller), about: account)
    try await store.write { try $0.save(waiting.record, in: .servers) }
  }

  private func waiting(
    _ message: OutgoingMessage, about account: AccountID?, isForNobody: Bool = false
  ) throws -> WaitingMessage {
    try WaitingMessage(
      message, about: account, isForNobody: isForNobody, handle: RandomText.handle(random),
      sealedBy: services.quietSecrets, at: clock())
  }

  private func message(
    around issued: IssuedActionCode, _ letter: ActionCodeLetter, _ caller: Caller
  ) throws(AuthError) -> OutgoingMessage {
    let info = issued.info
    let isChange = info.operation == .verifyAndChangeEmail
    let recipient = isChange ? info.newEmail ?? info.email : info.email
    // A store of before may hold an address that a mail server reads as another one.
    try recipient.checkSpecials()
    return OutgoingMessage(
      kind: info.operation.message, scope: caller.scope, recipient: recipient.canonical,
      proof: letter.link(issued), expiresAt: issued.expiresAt,
      requestedFrom: letter.requestedFrom, intent: info.operation.intent, locale: letter.locale,
      concerning: isChange ? info.email.text : info.newEmail?.text ?? info.factor?.description)
  }
}
