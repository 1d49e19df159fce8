import AuthCore
import BuiltInProviders
import IdentityToolkit

/// A vendor's statement as the emulator accepts it: a JWT with an unchecked signature, or a JSON object.
struct EmulatedIdentity: Sendable {
  let provider: ProviderID
  /// The claims as they were sent.
  let claims: [String: JSONValue]
  let subject: String
  let email: String?
  let emailVerified: Bool
  /// The attribute statements of a SAML assertion.
  let attributes: JSONValue?

  /// Reads the parameters of a sign-in.
  ///
  /// The error messages begin as the emulator's do.
  init(_ parameters: IdPParameters) throws(WireError) {
    let provider = parameters.provider
    let (idToken, accessToken) = (parameters["id_token"], parameters["access_token"])
    var read = try Self.claims(idToken)
    if read == nil { read = try Self.claims(accessToken) }
    guard let claims = read else {
      throw Self.refusal(idToken: idToken, accessToken: accessToken, provider)
    }
    var email = claims["email"]?.stringValue
    var emailVerified = Self.isTrue(claims["email_verified"])
    var attributes: JSONValue?
    if let response = parameters["SAMLResponse"] {
      let assertion = try Self.assertion(response)
      attributes = assertion.attributes
      if provider.rawValue.hasPrefix("saml."), (try? EmailAddress(assertion.nameID)) != nil {
        email = assertion.nameID
      }
    }
    if provider.rawValue.hasPrefix("saml.") { emailVerified = true }
    self.provider = provider
    self.claims = claims
    subject = claims["sub"]?.stringValue ?? ""
    self.email = email
    self.emailVerified = emailVerified
    self.attributes = attributes
  }

  /// The credential for the graph: the claims as one text.
  var credential: Credential {
    var members: [String: JSONValue] = [
      "sub": .string(subject), "emailVerified": .bool(emailVerified),
    ]
    members["email"] = email.map(JSONValue.string)
    for name in ["name", "picture", "screen_name"] { members[name] = claims[name] }
    return Credential(
      provider: provider, builder: EmulatedIdentityProvider.builder,
      fields: [EmulatedIdentityProvider.builder: JSONValue.object(members).text])
  }

  /// Reads a token.
  ///
  /// Returns nil for a text that is neither JSON nor a JWT.
  private static func claims(_ text: String?) throws(WireError) -> [String: JSONValue]? {
    guard let text else { return nil }
    let claims: JSONValue
    if text.hasPrefix("{") {
      guard let value = try? JSONValue(strict: Array(text.utf8)) else {
        throw WireError(
          "INVALID_IDP_RESPONSE",
          "Unable to parse id_token: \(text) ((It begins like JSON, and is none.))")
      }
      claims = value
    } else {
      guard let value = UnsignedToken.payload(of: text) else { return nil }
      claims = value
    }
    guard case .object(let members) = claims, let subject = claims["sub"], !isEmpty(subject) else {
      throw WireError(
        "INVALID_IDP_RESPONSE",
        "Invalid Idp Response: id_token missing required fields. "
          + "((\"sub\" has to be there: it is what makes the person the same one next time.))")
    }
    guard subject.stringValue != nil else {
      throw WireError("INVALID_IDP_RESPONSE", "((\"sub\" has to be a text.))")
    }
    return members
  }

  private static func isEmpty(_ value: JSONValue) -> Bool {
    [.null, .string(""), .bool(false), .integer(0)].contains(value)
  }

  /// Reads a claim on an address.
  ///
  /// Only `true`, `"true"` and 1 are true.
  private static func isTrue(_ value: JSONValue?) -> Bool {
    value == .bool(true) || value == .string("true") || value == .integer(1)
  }

  private static func refusal(
    idToken: String?, accessToken: String?, _ provider: ProviderID
  ) -> WireError {
    if let idToken {
      return WireError(
        "INVALID_IDP_RESPONSE",
        "Unable to parse id_token: \(idToken) ((It has to be a JWT or strict JSON.))")
    }
    return accessToken != nil
      ? .notImplemented(
        "The Auth Emulator has no vendor to ask about an access token of \(provider); "
          + "send an id_token.")
      : .notImplemented("The Auth Emulator signs in with an id_token alone; none was sent.")
  }

  private static func assertion(
    _ text: String
  ) throws(WireError) -> (nameID: String, attributes: JSONValue?) {
    guard let response = try? JSONValue(strict: Array(text.utf8)) else {
      throw WireError("INVALID_IDP_RESPONSE ((SAMLResponse has to be strict JSON here.))")
    }
    guard let assertion = response["assertion"], assertion != .null else {
      throw WireError("INVALID_IDP_RESPONSE ((Missing assertion in SAMLResponse.))")
    }
    guard let subject = assertion["subject"], subject != .null else {
      throw WireError("INVALID_IDP_RESPONSE ((Missing assertion.subject in SAMLResponse.))")
    }
    guard let nameID = subject["nameId"]?.stringValue, !nameID.isEmpty else {
      throw WireError(
        "INVALID_IDP_RESPONSE ((Missing assertion.subject.nameId in SAMLResponse.))")
    }
    return (nameID, assertion["attributeStatements"])
  }
}
