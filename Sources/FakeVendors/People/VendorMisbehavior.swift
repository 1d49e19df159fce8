public import AuthCore

/// The lies and errors in a vendor's answers, one field each; all are off at first.
///
/// Faults below that, on the wire, are ``HostileTransport``.
public struct VendorMisbehavior: Sendable {
  /// The treatment of a parameter of the authorization answer.
  public enum Parameter: Hashable, Sendable {
    case honest, missing
    case replaced(String)
  }

  /// The fault of the token endpoint's ID token.
  public var idToken: HostileToken?
  /// Claims that every ID token gets beside or instead of the honest ones; null leaves one out.
  public var idTokenClaims: [String: JSONValue] = [:]
  /// Members that the header of every ID token without a fault gets; null leaves one out.
  public var idTokenHeader: [String: JSONValue] = [:]
  /// True if the token endpoint answers without an ID token.
  public var omitsIDToken = false
  /// The person that the profile endpoint describes, regardless of the access token.
  public var profilePerson: FakePerson?
  /// The person that a refreshed ID token names.
  public var refreshedPerson: FakePerson?
  /// An OAuth error that the token endpoint answers with 400, such as `temporarily_unavailable`.
  public var tokenError: String?
  /// The `iss` of the authorization answer (RFC 9207).
  public var responseIssuer = Parameter.honest
  /// The `state` of the authorization answer.
  public var responseState = Parameter.honest
  /// Members of the discovery document that are replaced; null leaves one out.
  public var discovery: [String: JSONValue] = [:]

  /// Makes an honest vendor.
  public init() {}
}
