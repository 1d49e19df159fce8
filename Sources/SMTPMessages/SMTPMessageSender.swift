// Hands mail to a server by SMTP. Start with `SMTPMessageSender`; Dialogue/ is what is said to the server, Mail/
// what a message looks like on the way, Texts/ what people read.
public import AuthValues

/// Sends links for e-mail addresses by SMTP (RFC 5321).
///
/// Each message has a connection of its own. Messages to phones are refused: SMTP reaches none.
public struct SMTPMessageSender: MessageSender {
  private let configuration: SMTPConfiguration
  private let clock: @Sendable () -> Timestamp
  private let random: @Sendable () -> UInt64

  /// Takes where mail goes; connects to nothing yet.
  ///
  /// Throws `invalid-argument` (field `from`, `fromName`, `user`, `password`) where the configuration cannot be used,
  /// such as a password that would be sent without TLS.
  /// The clock dates messages, and 64 random bits a call make their IDs; both are given in tests.
  public init(
    _ configuration: SMTPConfiguration,
    clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
  ) throws(AuthError) {
    _ = try MailAddress(configuration.from, field: "from")
    if let name = configuration.fromName { try MailHeader.check(name, field: "fromName") }
    if configuration.userName != nil {
      guard configuration.protection != .none || configuration.isLoopback else {
        throw AuthError(
          .invalidArgument, "The password of the mail server would be sent without TLS.",
          field: "protection", remedy: "Set protection to starttls or tls.")
      }
      guard configuration.password != nil else {
        throw AuthError(
          .invalidArgument, "The mail server's user has no password.", field: "password",
          remedy: "Give the password, or leave the user out.")
      }
    }
    self.configuration = configuration
    self.clock = clock
    self.random = random
  }

  /// Hands a message over; returns once the server took it.
  ///
  /// Throws `operation-not-allowed` for a message to a phone, `invalid-email` for an address that no mail can go
  /// to, `quota-exceeded` where the server wants fewer messages, and `network-request-failed` for all else. What
  /// the server said stands in the error's cause.
  public func send(_ message: OutgoingMessage) async throws {
    try check(message.kind)
    let recipient = try MailAddress(message.recipient, field: "email")
    let sender = try MailAddress(configuration.from, field: "from")
    let text = configuration.texts.text(for: message)
    let mail = Mail(
      from: sender, fromName: configuration.fromName, to: recipient, text: text, date: clock(),
      id: MailHeader.messageID(random, at: sender))
    try await deliver(
      SMTPDialogue.Envelope(from: sender, to: recipient, content: try mail.encoded()))
  }

  public func check(_ kind: OutgoingMessage.Kind) throws {
    guard !kind.isForPhone else {
      throw AuthError(
        .operationNotAllowed, "Messages to phones cannot go by SMTP.",
        remedy: "Configure a webhook for messages; it can send them as SMS.", step: .credential)
    }
  }

  /// Connects, makes the connection safe, signs in and leaves, without a message.
  ///
  /// Throws like ``send(_:)``.
  public func check() async throws {
    try await deliver(nil)
  }

  private func deliver(_ envelope: SMTPDialogue.Envelope?) async throws {
    let dialogue = SMTPDialogue(configuration, envelope)
    try await SMTPConnection(configuration: configuration).run(dialogue)
  }
}

extension OutgoingMessage.Kind {
  /// Whether the recipient is a phone number rather than an e-mail address.
  var isForPhone: Bool {
    self == .phoneSignIn || self == .secondFactor
  }
}
