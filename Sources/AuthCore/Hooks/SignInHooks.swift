/// Lets the app refuse or change a sign-in before it happens; Firebase's blocking functions.
///
/// Asked outside every transaction, after the rules decided and before anything is written. What they answer
/// is checked like an admin's input, and a hook that fails refuses the sign-in.
public protocol SignInHooks: Sendable {
  /// Answers an event, or gives nil where nobody wants to know of it.
  ///
  /// Throws `blocking-function-error` where the answer is a refusal or cannot be had.
  func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer?

  /// Whether anybody wants to know of events in a scope with these functions.
  ///
  /// Where nobody does, a sign-in decides once and asks nobody. It is asked while a sign-in is decided, perhaps more
  /// than once, and others wait for that: it looks at nothing but the functions.
  func isInterested(in functions: BlockingFunctions) -> Bool
}

extension SignInHooks {
  /// Wants to know of everything.
  public func isInterested(in functions: BlockingFunctions) -> Bool { true }
}

/// What is about to happen.
public struct SignInHookEvent: Sendable {
  public enum Kind: String, Sendable, Hashable {
    case beforeCreate
    case beforeSignIn
  }

  public let kind: Kind
  public let scope: Scope
  /// The account as it would be written.
  public let account: Account
  /// Firebase's `sign_in_method`: `password`, `emailLink`, `phone` or the provider's ID.
  public let signInMethod: String
  public let secondFactor: SessionGrant.Factor?
  /// What the provider said.
  public let claims: JSONValue
  /// Where the scope's functions are.
  public let functions: BlockingFunctions
  /// Who asks, for the function's `ip_address`, `user_agent` and `locale`.
  public let client: ClientDescription

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

/// Where a request came from, as far as it is known.
public struct ClientDescription: Sendable, Hashable {
  public var address: String?
  public var userAgent: String?
  public var locale: String?
  /// What attempts are counted under: one name for all addresses of the network that the address is in.
  public var network: String?
  /// The ID of the request in the server's log, for the audit.
  public var requestID: String?
  /// What the vendor gave for this sign-in, for functions that have it forwarded.
  public var credentials = InboundCredentials()

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

/// What a vendor gave an app for a sign-in, as far as the app sent it on.
public struct InboundCredentials: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  public var idToken: String?
  public var accessToken: String?
  /// OAuth 1's second half of the access token.
  public var tokenSecret: String?
  public var refreshToken: String?

  public init() {}

  public var description: String { SecretPlaceholder.text }

  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What a hook wants changed.
public struct SignInHookAnswer: Sendable, Hashable {
  public var displayName = Change<String>.leave
  public var photoURL = Change<String>.leave
  public var emailVerified: Bool?
  public var disabled: Bool?
  public var customClaims = Change<CustomClaims>.leave
  /// Claims of this session alone, which only `beforeSignIn` may give; null where there are none.
  public var sessionClaims = JSONValue.null

  public init() {}
}

/// Asks nobody.
struct NoHooks: SignInHooks {
  func answer(_ event: SignInHookEvent) async throws -> SignInHookAnswer? { nil }
}
