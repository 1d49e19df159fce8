/// The faults of an ID token, each a single one in an otherwise correct token.
///
/// Those with a foreign signature are signed with an attacker's key, and the URLs in their headers point at the
/// vendor itself: `server.requests(to: HostileToken.attackerKeysPath)` shows whether they were followed.
public enum HostileToken: String, CaseIterable, Sendable, CustomStringConvertible {
  // Faults in the claims.
  case wrongIssuer = "of another issuer"
  case issuerMissing = "without an issuer"
  case wrongAudience = "for another app"
  case audienceMissing = "without an audience"
  case audienceEmpty = "for an empty list of apps"
  case untrustedAudienceToo = "also for another app, which asked for it"
  case expired = "that is over"
  case expiryMissing = "that is never over"
  case notYetValid = "that is not valid yet"
  case nonceMissing = "without the nonce"
  case nonceWrong = "with another nonce"
  case subjectMissing = "without a subject"
  case subjectEmpty = "with an empty subject"
  case subjectNumeric = "with a number as the subject"
  case subjectBeyondDoublePrecision = "with a number as the subject that a double cannot hold"
  case emailVerifiedFalse = "whose address is not verified"
  case emailVerifiedTextFalse = "whose address is not verified, as text"
  case emailVerifiedNumber = "whose address is verified 1"
  case emailVerifiedYes = "whose address is verified \"yes\""
  case emailVerifiedAbsent = "that says nothing of its address"
  case emailIsNone = "whose verified address is no address"
  case noEmail = "without an address"

  // Faults in the signature or its key.
  case algorithmNone = "with algorithm none"
  case algorithmNoneOddCase = "with algorithm nOnE"
  case hs256WithPublicKey = "with the public key's PEM as an HMAC secret"
  case hs256WithKeyNumber = "with the public key's number as an HMAC secret"
  case emptySignature = "with an empty signature"
  case corruptedSignature = "with a signature that was touched"
  case tamperedPayload = "whose claims were touched"
  case foreignSignature = "signed by a stranger under the vendor's key ID"
  case unknownKeyID = "signed by a stranger under an unknown key ID"
  case keyIDTraversal = "whose key ID is a path"
  case duplicateKeyID = "whose key ID names two keys"
  case keyOfAnotherType = "whose key ID names a key of another type"
  case jkuHeader = "that brings the URL of its keys"
  case x5uHeader = "that brings the URL of its certificate"
  case jwkHeader = "that brings its key"
  case critHeader = "with an unknown critical header"
  case notThreeParts = "with two parts"
  case notAToken = "that is none"

  /// True if every verifier has to refuse the token.
  ///
  /// The others are genuine, but do not verify the address.
  public var mustBeRefused: Bool { !Self.genuine.contains(self) }

  /// True if the token is faulty only for an app that sent a nonce.
  public var needsNonce: Bool { self == .nonceMissing || self == .nonceWrong }

  /// The path of an attacker's keys, for a verifier that trusts `jku`.
  public static let attackerKeysPath = "/attacker/keys"
  /// The path of an attacker's key in PEM, for a verifier that trusts `x5u`.
  public static let attackerCertificatePath = "/attacker/certificate"

  private static let genuine: Set<HostileToken> = [
    .emailVerifiedFalse, .emailVerifiedTextFalse, .emailVerifiedNumber, .emailVerifiedYes,
    .emailVerifiedAbsent, .emailIsNone, .noEmail,
  ]

  /// The fault in words, such as `a token of another issuer`.
  public var description: String { "a token \(rawValue)" }
}
