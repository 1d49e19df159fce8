public import AuthCore

/// Says where a vendor lies or errs in what it says, one field a lie; all are off at first.
///
/// What goes wrong below that, on the wire, is ``HostileTransport``.
public struct VendorMisbehavior: Sendable {
  /// What becomes of a parameter of the authorization answer.
  public enum Parameter: Hashable, Sendable {
    case honest, missing
    case replaced(String)
  }

  /// How the ID token of the token endpoint is wrong.
  public var idToken: HostileToken?
  /// The token endpoint answers no ID token at all.
  public var omitsIDToken = false
  /// Whom the profile endpoint describes, whoever the access token belongs to.
  public var profilePerson: FakePerson?
  /// Whom a refreshed ID token names.
  public var refreshedPerson: FakePerson?
  /// An OAuth error that the token endpoint answers with 400, such as `temporarily_unavailable`.
  public var tokenError: String?
  /// The `iss` of the authorization answer (RFC 9207).
  public var responseIssuer = Parameter.honest
  /// The `state` of the authorization answer.
  public var responseState = Parameter.honest
  /// Members of the discovery document that are replaced, or left out where they are null.
  public var discovery: [String: JSONValue] = [:]

  public init() {}
}
