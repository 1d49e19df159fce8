/// The app's functions that may refuse or change a sign-in; Firebase's blocking functions.
///
/// They are called outside every transaction, after the rules decided and before anything is written. Their answers are
/// checked like an admin's input, and a hook that fails refuses the sign-in.
public protocol SignInHooks: Sendable {
  /// Answers an event; nil if no function is interested in it.
  ///
  /// Throws `blocking-function-error` if the function refuses, or if its answer is missing or invalid.
  func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer?

  /// Tells whether a hook is interested in the events of a scope with these functions.
  ///
  /// If none is, a sign-in is decided without asking. The graph calls this during decisions, perhaps repeatedly, while
  /// other writers wait. So it must depend on the functions alone.
  func isInterested(in functions: BlockingFunctions) -> Bool
}

extension SignInHooks {
  /// Is interested in every event.
  public func isInterested(in functions: BlockingFunctions) -> Bool { true }
}

/// An event that the app's functions decide on.
public struct SignInHookEvent: Sendable {
  /// The kind of an event.
  public enum Kind: String, Sendable, Hashable {
    /// An account becomes a person's.
    case beforeCreate
    /// A session begins.
    case beforeSignIn
  }

  /// The kind of the event.
  public let kind: Kind
  /// The project or tenant of the account.
  public let scope: Scope
  /// The account as it would be stored.
  public let account: Account
  /// Firebase's `sign_in_method`: `password`, `emailLink`, `phone` or the provider's ID.
  public let signInMethod: String
  /// The second factor that was shown, if any.
  public let secondFactor: SessionGrant.Factor?
  /// The provider's claims.
  public let claims: JSONValue
  /// The functions of the scope.
  public let functions: BlockingFunctions
  /// The client, for the function's `ip_address`, `user_agent` and `locale`.
  public let client: ClientDescription

  /// Makes an event.
  public init(
    kind: Kind, scope: Scope, account: Account, signInMethod: String,
    secondFactor: SessionGrant.Factor?, claims: JSONValue, functions: BlockingFunctions,
    client: ClientDescription
  ) {
    self.kind = kind
    self.scope = scope
    self.account = account
    self.signInMethod = signInMethod
    self.secondFactor = secondFactor
    self.claims = claims
    self.functions = functions
    self.client = client
  }
}

/// The origin of a request, as far as it is known.
public struct ClientDescription: Sendable, Hashable {
  /// The IP address.
  public var address: String?
  /// The user agent.
  public var userAgent: String?
  /// The language, as the client names it.
  public var locale: String?
  /// The name under which attempts are counted, the same for all addresses of one network.
  public var network: String?
  /// The ID of the request in the server's log, for the audit.
  public var requestID: String?
  /// True if the audit records the address, as for an admin at a console.
  package var isRecorded = false
  /// The vendor's tokens for this sign-in, for functions to which they are forwarded.
  public var credentials = InboundCredentials()
  /// The vendor's statements about the person at this sign-in, for the app's functions.
  package var statements = VendorStatements()

  /// Makes a description.
  public init(
    address: String? = nil, userAgent: String? = nil, locale: String? = nil,
    network: String? = nil, requestID: String? = nil
  ) {
    self.requestID = requestID
    self.network = network
    self.address = address
    self.userAgent = userAgent
    self.locale = locale
  }
}

/// A vendor's tokens for a sign-in, as far as the app passed them on or a code was exchanged for them.
public struct InboundCredentials: Sendable, Hashable, Codable, CustomStringConvertible,
  CustomReflectable
{
  /// The OpenID Connect ID token.
  public var idToken: String?
  /// The OAuth access token.
  public var accessToken: String?
  /// The secret of an OAuth 1 access token.
  public var tokenSecret: String?
  /// The OAuth refresh token.
  public var refreshToken: String?

  /// Makes an empty set.
  public init() {}

  /// The placeholder `•••`.
  public var description: String { SecretPlaceholder.text }

  /// An empty mirror, so that dumping the tokens does not show them.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The changes that a hook asks for.
public struct SignInHookAnswer: Sendable, Hashable {
  /// The new display name.
  public var displayName = Change<String>.leave
  /// The new URL of the picture.
  public var photoURL = Change<String>.leave
  /// The new state of the e-mail address; nil leaves it.
  public var emailVerified: Bool?
  /// The new state of the account; nil leaves it.
  public var disabled: Bool?
  /// The new custom claims.
  public var customClaims = Change<CustomClaims>.leave
  /// Claims of this session alone, which only `beforeSignIn` may add; null for none.
  public var sessionClaims = JSONValue.null

  /// Makes an answer without changes.
  public init() {}
}

/// Hooks without any function.
struct NoHooks: SignInHooks {
  func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? { nil }
}
