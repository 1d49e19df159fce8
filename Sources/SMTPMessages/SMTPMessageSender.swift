// Sends mail by SMTP. Start with `SMTPMessageSender`; Dialogue/ holds the protocol, Mail/ the format of a message,
// Texts/ the texts that people read.
public import AuthValues

/// Sends links to e-mail addresses by SMTP (RFC 5321).
///
/// Each message has its own connection. Messages to phones are refused, because SMTP cannot reach them.
public struct SMTPMessageSender: MessageSender {
  private let configuration: SMTPConfiguration
  private let clock: @Sendable () -> Timestamp
  private let random: @Sendable () -> UInt64

  /// Makes a sender; makes no connection yet.
  ///
  /// Throws `invalid-argument` (field `from`, `fromName`, `user`, `password`) if the configuration cannot be used,
  /// such as a password that would be sent without TLS. The clock dates messages, and 64 random bits a call make
  /// their IDs; tests pass their own.
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

  /// Sends a message; returns once the server has accepted it.
  ///
  /// Throws `operation-not-allowed` for a message to a phone, `invalid-email` for an address that no mail can
  /// reach, `quota-exceeded` if the server wants fewer messages, and `network-request-failed` for every other
  /// failure. The error's cause has the server's words.
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

  /// Throws `operation-not-allowed` for messages to phones.
  public func check(_ kind: OutgoingMessage.Kind) throws {
    guard !kind.isForPhone else {
      throw AuthError(
        .operationNotAllowed, "Messages to phones cannot go by SMTP.",
        remedy: "Configure a webhook for messages; it can send them as SMS.", step: .credential)
    }
  }

  /// Connects, secures the connection, signs in and quits, without a message.
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
  /// True if the recipient is a phone number rather than an e-mail address.
  var isForPhone: Bool {
    self == .phoneSignIn || self == .secondFactor
  }
}
