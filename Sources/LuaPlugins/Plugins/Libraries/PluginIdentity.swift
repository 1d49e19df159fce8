import AuthCore
import BuiltInProviders
import LuaRuntime

/// The person in a vendor's answer, before the conversion to a ``VerifiedIdentity``.
struct PluginIdentity: Sendable {
  var subject: String
  /// The person's subjects in other systems' records: see ``VerifiedIdentity/formerKeys``.
  var formerSubjects: [String] = []
  var email: String?
  var emailVerified = false
  var displayName: String?
  var photoURL: String?
  var screenName: String?
  var phoneNumber: String?
  var claims: JSONValue = .null

  /// Checks a vendor's subject; throws `invalid-credential`.
  ///
  /// The error names the paths of the subject.
  static func subject(
    _ value: JSONValue?, at paths: [String] = []
  ) throws(AuthError) -> String {
    switch value {
    case .string(let text) where !text.isEmpty:
      guard TextBounds.subject.allow(text) else {
        throw refused("is longer than \(TextBounds.subject)")
      }
      guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
        throw refused("holds control characters")
      }
      return text
    case .integer(let number) where number.magnitude <= 1 << 53: return String(number)
    // Parsers disagree on the last digits of such a number: two people could become one.
    case .integer, .number: throw refused("is a number that cannot be held exactly")
    case nil, .null, .string:
      throw refused(
        paths.isEmpty ? "is missing" : "is missing, there is no \(paths.joined(separator: " or "))")
    default: throw refused("is neither a text nor a number")
    }
  }

  /// Checks the subjects of other systems' records, single or in a list; throws `invalid-credential`.
  static func formerSubjects(_ values: [JSONValue]) throws(AuthError) -> [String] {
    var subjects: [String] = []
    for value in values {
      let listed = if case .array(let list) = value { list } else { [value] }
      for one in listed where one != .null && one != "" { subjects.append(try subject(one)) }
    }
    guard subjects.count <= maximumFormerSubjects else {
      throw refused("has more than \(maximumFormerSubjects) others")
    }
    return subjects
  }

  private static let maximumFormerSubjects = 4

  private static func refused(_ why: String) -> AuthError {
    AuthError(
      .invalidCredential, "The provider's answer names no person: the subject \(why).",
      field: "subject", remedy: "Sign in with the provider again.", step: .profile)
  }

  /// The identity in AuthCore's form.
  func verified(
    _ provider: ProviderID, issuer: String = "", uses: [OneTimeUse]
  ) -> VerifiedIdentity {
    var identity = VerifiedIdentity(
      provider: provider, key: IdentityKey(provider, issuer: issuer, subject: subject),
      profile: IdentityProfile(
        email: email, displayName: displayName, photoURL: photoURL, phoneNumber: phoneNumber,
        screenName: screenName),
      claims: claims.removing(VerifiedIdentity.transportClaims))
    identity.email = email.flatMap { try? EmailAddress($0) }
    identity.emailVerified = emailVerified && identity.email != nil
    identity.uses = uses
    // A record with an issuer matches no other issuer.
    let issuers = issuer.isEmpty ? [""] : [issuer, ""]
    identity.formerKeys = issuers.flatMap { issuer in
      formerSubjects.map { IdentityKey(provider, issuer: issuer, subject: $0) }
    }.filter { $0 != identity.key }
    return identity
  }
}
