import AuthCore

/// The lies of ``VendorMisbehavior`` that a script can name, besides hostile ID tokens.
public enum VendorLie: String, CaseIterable, Sendable {
  case omitsIDToken = "omits-id-token"
  case profileOfSomebodyElse = "profile-of-somebody-else"
  case refreshNamesSomebodyElse = "refresh-names-somebody-else"
  case tokenEndpointRefuses = "token-endpoint-refuses"
  case responseIssuerMissing = "response-issuer-missing"
  case responseIssuerWrong = "response-issuer-wrong"
  case responseStateMissing = "response-state-missing"
  case responseStateWrong = "response-state-wrong"
  case discoveryIssuerWrong = "discovery-issuer-wrong"
  case discoveryWithoutKeys = "discovery-without-keys"
  case discoveryOffersHS256 = "discovery-offers-hs256"

  /// The name on a command line or in a script.
  public var name: String { rawValue }

  /// A sentence that describes the lie.
  public var sentence: String {
    switch self {
    case .omitsIDToken: "Gives no ID token, even if one is requested."
    case .profileOfSomebodyElse: "Describes another person at /userinfo and at its routes."
    case .refreshNamesSomebodyElse: "Names another person when a token is refreshed."
    case .tokenEndpointRefuses: "Answers temporarily_unavailable at /token."
    case .responseIssuerMissing: "Leaves iss out of the authorization answer."
    case .responseIssuerWrong: "Names another issuer in the authorization answer."
    case .responseStateMissing: "Leaves state out of the authorization answer."
    case .responseStateWrong: "Sends another state with the authorization answer."
    case .discoveryIssuerWrong: "Names another issuer in its discovery document."
    case .discoveryWithoutKeys: "Leaves jwks_uri out of its discovery document."
    case .discoveryOffersHS256: "Offers only HS256 in its discovery document."
    }
  }

  /// Adds the lie to a vendor's misbehavior.
  public func apply(to misbehavior: inout VendorMisbehavior) {
    switch self {
    case .omitsIDToken: misbehavior.omitsIDToken = true
    case .profileOfSomebodyElse: misbehavior.profilePerson = .otherPerson
    case .refreshNamesSomebodyElse: misbehavior.refreshedPerson = .otherPerson
    case .tokenEndpointRefuses: misbehavior.tokenError = "temporarily_unavailable"
    case .responseIssuerMissing: misbehavior.responseIssuer = .missing
    case .responseIssuerWrong: misbehavior.responseIssuer = .replaced(Self.strangeIssuer)
    case .responseStateMissing: misbehavior.responseState = .missing
    case .responseStateWrong:
      misbehavior.responseState = .replaced("the-state-of-another-sign-in")
    case .discoveryIssuerWrong: misbehavior.discovery["issuer"] = .string(Self.strangeIssuer)
    case .discoveryWithoutKeys: misbehavior.discovery["jwks_uri"] = .null
    case .discoveryOffersHS256:
      misbehavior.discovery["id_token_signing_alg_values_supported"] = ["HS256"]
    }
  }

  private static let strangeIssuer = "https://accounts.stranger.example"
}

extension FakePerson {
  /// The person that a lie names in place of the true one.
  static let otherPerson = FakePerson(
    subject: "somebody-else", email: "somebody@stranger.example", name: "Somebody Else")
}
