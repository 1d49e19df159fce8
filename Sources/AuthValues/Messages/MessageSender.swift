/// Delivers codes and links to people.
public protocol MessageSender: Sendable {
  /// Delivers a message, or throws the reason it was not; `quota-exceeded` if too many were sent.
  func send(_ message: OutgoingMessage) async throws

  /// Checks that messages of a kind can be sent, or throws `operation-not-allowed`.
  ///
  /// The graph calls it before it prepares a message that is sent after the answer. The recipient is not known yet.
  func check(_ kind: OutgoingMessage.Kind) throws
}

extension MessageSender {
  /// Accepts every kind.
  public func check(_ kind: OutgoingMessage.Kind) throws {}
}

/// A code or a link on its way to a person.
public struct OutgoingMessage: Sendable {
  /// The purpose of a message; each has a text of its own.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    /// A code that signs in with a phone number.
    case phoneSignIn = "phone-sign-in"
    /// A code for a second factor.
    case secondFactor = "second-factor"
    /// A link that signs in with an e-mail address.
    case emailLink = "email-link"
    /// A link that verifies the account's address.
    case verifyEmail = "verify-email"
    /// A link that sets a new password.
    case resetPassword = "reset-password"
    /// A link sent to the new address, to prove that the account's owner has it.
    case changeEmail = "change-email"
    /// A link sent to the old address, to revert the change.
    case recoverEmail = "recover-email"
    /// A link sent to the account's address, to remove a second factor that a stranger may have enrolled.
    case secondFactorAdded = "second-factor-added"

    /// True if the proof is a link, and not a code of digits.
    public var carriesLink: Bool { self != .phoneSignIn && self != .secondFactor }
  }

  /// The purpose of the message.
  public let kind: Kind
  /// The scope of the account.
  public let scope: Scope
  /// A phone number in E.164 form or an e-mail address.
  public let recipient: String
  /// The proof of receipt: a code of digits, or a link.
  public let proof: Secret<String>
  /// The time until which the proof works.
  public let expiresAt: Timestamp
  /// The origin of the request as the recipient sees it, such as a network address; nil if unknown.
  public let requestedFrom: String?
  /// The effect of the proof: `sign-in`, or `link` to an account.
  public let intent: String
  /// The recipient's language, as the app named it; nil if it did not.
  public let locale: String?
  /// Further subject of the message: the account's other address, or a second factor.
  public let concerning: String?

  /// Makes a message.
  public init(
    kind: Kind, scope: Scope, recipient: String, proof: Secret<String>, expiresAt: Timestamp,
    requestedFrom: String? = nil, intent: String = "sign-in", locale: String? = nil,
    concerning: String? = nil
  ) {
    self.kind = kind
    self.scope = scope
    self.recipient = recipient
    self.proof = proof
    self.expiresAt = expiresAt
    self.requestedFrom = requestedFrom
    self.intent = intent
    self.locale = locale
    self.concerning = concerning
  }
}
