/// Takes codes and links to people.
public protocol MessageSender: Sendable {
  /// Delivers a message, or throws what kept it back; `quota-exceeded` where too many were sent.
  func send(_ message: OutgoingMessage) async throws

  /// Checks that there is a way to send messages of a kind; throws `operation-not-allowed`.
  ///
  /// It is asked before anything is done for a message that leaves after the answer, and knows no recipient.
  func check(_ kind: OutgoingMessage.Kind) throws
}

extension MessageSender {
  /// Refuses no kind.
  public func check(_ kind: OutgoingMessage.Kind) throws {}
}

/// A code or a link on its way to a person.
public struct OutgoingMessage: Sendable {
  /// What the message is for; each has a text of its own.
  public enum Kind: String, Sendable, Codable, CaseIterable {
    case phoneSignIn = "phone-sign-in"
    case secondFactor = "second-factor"
    case emailLink = "email-link"
    case verifyEmail = "verify-email"
    case resetPassword = "reset-password"
    /// To the new address, to show that it is the person's.
    case changeEmail = "change-email"
    /// To the old address, to take a change back.
    case recoverEmail = "recover-email"
    /// To the account's address, to take a second factor away that somebody else enrolled.
    case secondFactorAdded = "second-factor-added"

    /// Whether the proof is a link rather than a code of digits.
    public var carriesLink: Bool { self != .phoneSignIn && self != .secondFactor }
  }

  public let kind: Kind
  public let scope: Scope
  /// A phone number in E.164 form or an e-mail address.
  public let recipient: String
  /// What proves that the recipient got it: a code of digits, or a link.
  public let proof: Secret<String>
  public let expiresAt: Timestamp
  /// What the recipient is told about who asked, such as an address of the network; nil where unknown.
  public let requestedFrom: String?
  /// What using it does: `sign-in`, or `link` to an account.
  public let intent: String
  /// The language that the person reads, as the app named it; nil where it did not.
  public let locale: String?
  /// What else it is about: the account's other address, or a second factor.
  public let concerning: String?

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
