import AuthValues
import Foundation

/// The client's part of an SMTP dialogue: takes each answer and returns the next action.
///
/// It does no I/O, so a dialogue can be tested without a server.
struct SMTPDialogue: Sendable {
  /// The message, its sender and its recipient.
  struct Envelope: Sendable {
    let from: MailAddress
    let to: MailAddress
    /// The message as it is sent, without the dots of RFC 5321, section 4.5.2.
    let content: String
  }

  enum Action {
    case send(String)
    /// Begin TLS, then send this line inside it.
    case startTLS(then: String)
    /// The server has accepted the message; send this line and quit.
    case finish(String)
  }

  private enum State {
    case greeting, hello, startTLS, loginName, loginPassword, signIn, sender, recipient, data
    case content, over
  }

  private let configuration: SMTPConfiguration
  private let envelope: Envelope?
  private var state = State.greeting
  private var isSecure: Bool
  /// The server's extensions, in upper case; those announced before TLS are dropped.
  private var abilities: [String] = []

  init(_ configuration: SMTPConfiguration, _ envelope: Envelope?) {
    self.configuration = configuration
    self.envelope = envelope
    isSecure = configuration.protection == .tls
  }

  /// Returns the action after an answer; throws the error that ends the dialogue.
  mutating func take(_ reply: SMTPReply) throws(AuthError) -> Action {
    switch state {
    case .greeting:
      try expect(220, reply, "the greeting")
      return hello()
    case .hello:
      try expect(250, reply, "EHLO")
      abilities = reply.lines.dropFirst().map { $0.uppercased() }
      return try afterHello()
    case .startTLS:
      try expect(220, reply, "STARTTLS")
      isSecure = true
      abilities = []
      guard case .send(let line) = hello() else { throw failure("STARTTLS") }
      return .startTLS(then: line)
    case .loginName:
      try expect(334, reply, "the sign-in", isSecret: true)
      return go(to: .loginPassword, Base64.standard.text((configuration.userName ?? "").utf8))
    case .loginPassword:
      try expect(334, reply, "the sign-in", isSecret: true)
      let password = configuration.password?.reveal() ?? ""
      return go(to: .signIn, Base64.standard.text(password.utf8))
    case .signIn:
      try expect(235, reply, "the sign-in", isSecret: true)
      return try begin()
    case .sender:
      try expect(250, reply, "the sender")
      return go(to: .recipient, "RCPT TO:<\(envelope?.to.text ?? "")>")
    case .recipient:
      guard reply.code == 250 || reply.code == 251 else { throw refusal(reply, "the recipient") }
      return go(to: .data, "DATA")
    case .data:
      try expect(354, reply, "DATA")
      return go(to: .content, Self.dotted(envelope?.content ?? ""))
    case .content:
      try expect(250, reply, "the message")
      state = .over
      return .finish("QUIT")
    case .over:
      throw failure("nothing that was asked")
    }
  }

  private mutating func hello() -> Action {
    go(to: .hello, "EHLO \(configuration.clientName)")
  }

  private mutating func afterHello() throws(AuthError) -> Action {
    if configuration.protection == .startTLS, !isSecure {
      guard abilities.contains("STARTTLS") else {
        throw AuthError(
          .networkRequestFailed,
          "The mail server \(configuration.host) offers no STARTTLS, and nothing is sent without it.",
          remedy: "Check host and port of the mail server.", step: .credential)
      }
      return go(to: .startTLS, "STARTTLS")
    }
    guard let user = configuration.userName else { return try begin() }
    let methods =
      abilities.first { $0.hasPrefix("AUTH ") || $0.hasPrefix("AUTH=") }?
      .dropFirst(5).split(separator: " ") ?? []
    if methods.contains("PLAIN") {
      let password = configuration.password?.reveal() ?? ""
      return go(to: .signIn, "AUTH PLAIN \(Base64.standard.text("\0\(user)\0\(password)".utf8))")
    }
    guard methods.contains("LOGIN") else {
      throw AuthError(
        .networkRequestFailed,
        "The mail server \(configuration.host) offers no way to sign in that is known here.",
        remedy: "Have it offer AUTH PLAIN, or leave the user out.", step: .credential)
    }
    return go(to: .loginName, "AUTH LOGIN")
  }

  /// Begins with the message, or quits if there is none.
  private mutating func begin() throws(AuthError) -> Action {
    guard let envelope else {
      state = .over
      return .finish("QUIT")
    }
    let needsUTF8 = !(envelope.from.isASCII && envelope.to.isASCII)
    guard !needsUTF8 || abilities.contains("SMTPUTF8") else {
      throw AuthError(
        .invalidEmail, "The mail server takes addresses in ASCII only.", field: "email",
        remedy: "Use a mail server that knows SMTPUTF8.", step: .credential)
    }
    return go(to: .sender, "MAIL FROM:<\(envelope.from.text)>\(needsUTF8 ? " SMTPUTF8" : "")")
  }

  private mutating func go(to state: State, _ line: String) -> Action {
    self.state = state
    return .send(line)
  }

  private func expect(
    _ code: Int, _ reply: SMTPReply, _ part: String, isSecret: Bool = false
  ) throws(AuthError) {
    guard reply.code == code else { throw refusal(reply, part, isSecret: isSecret) }
  }

  private func refusal(_ reply: SMTPReply, _ part: String, isSecret: Bool = false) -> AuthError {
    // A server's text about a failed sign-in could repeat the password.
    let said = isSecret ? nil : SMTPRefusal(code: reply.code, text: reply.text)
    guard !reply.asksForLess else {
      return AuthError(
        .quotaExceeded, "The mail server takes no more messages for now.",
        remedy: "Wait a while and try again.", step: .credential, cause: said)
    }
    return AuthError(
      .networkRequestFailed,
      "The mail server \(configuration.host) answered \(reply.code) to \(part).",
      remedy: "Read the log of the mail server.", step: .credential, cause: said)
  }

  private func failure(_ part: String) -> AuthError {
    AuthError(
      .networkRequestFailed, "The mail server \(configuration.host) answered \(part).",
      remedy: "Read the log of the mail server.", step: .credential)
  }

  /// The content with its end, and a second dot before each line that begins with one.
  private static func dotted(_ content: String) -> String {
    var lines = content.components(separatedBy: "\r\n")
    if lines.last == "" { lines.removeLast() }
    return lines.map { $0.hasPrefix(".") ? "." + $0 : $0 }.joined(separator: "\r\n") + "\r\n."
  }
}

/// A server's refusal, for the log.
struct SMTPRefusal: Error, Hashable {
  let code: Int
  let text: String
}

extension SMTPReply {
  /// True if the answer means that there are too many messages.
  ///
  /// There is no single code for it: RFC 3463 has 4.7.x for policies and 4.5.3 for too many recipients, and servers
  /// without such codes use words.
  var asksForLess: Bool {
    guard (400..<500).contains(code) else { return false }
    let words = text.lowercased()
    return code == 452 || words.hasPrefix("4.7.") || words.hasPrefix("4.5.3")
      || ["too many", "rate", "quota", "throttl", "limit"].contains { words.contains($0) }
  }
}
