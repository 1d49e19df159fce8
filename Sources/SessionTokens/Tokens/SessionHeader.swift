import AuthCore
import Crypto

/// The data about a session in a signed token's header, which leaves the claims identical to Firebase's.
///
/// Verifiers ignore unknown members (RFC 7515 section 4.3); this server reads them.
struct SessionHeader: Sendable {
  /// The beginning of the session in milliseconds.
  ///
  /// The claim `auth_time` has whole seconds, which cannot tell a session from one that was ended in the same second.
  var authTime: Timestamp
  /// The names of the session's own claims, which the session keeps.
  ///
  /// All other claims are read from the account again, so that a claim that an admin removed does not survive.
  var claimNames: [String] = []
  /// The mark of the identity with which the session began; nil if it began with none.
  var identity: String?
  /// The mark of the account's sessions when this one began; nil if the account had none.
  var mark: SessionMark?

  private static let authTimeName = "auth_time_ms"
  private static let claimNamesName = "session_claims"
  private static let identityName = "session_identity"
  // Until sessions of an account are ended, their mark equals that of its ownership.
  private static let markName = "session_ownership"

  /// Adds the members to a header.
  func add(to members: inout [String: JSONValue]) {
    members[Self.authTimeName] = .integer(authTime.milliseconds)
    if !claimNames.isEmpty {
      members[Self.claimNamesName] = .array(claimNames.map(JSONValue.string))
    }
    members[Self.identityName] = identity.map(JSONValue.string)
    // A string, because other JSON readers round numbers of this size.
    members[Self.markName] = mark.map { .string(String($0.mark, radix: 36)) }
  }
}

extension SessionHeader {
  init(
    authTime: Timestamp, claimNames: [String] = [], identity: IdentityKey?, mark: SessionMark?
  ) {
    self.init(
      authTime: authTime, claimNames: claimNames, identity: identity.map(Self.mark), mark: mark)
  }

  /// Reads the header of a token with this `auth_time`.
  init(_ header: JSONValue, authTime seconds: Int64) {
    authTime = Timestamp(milliseconds: seconds * 1000)
    if case .integer(let milliseconds)? = header[Self.authTimeName], milliseconds / 1000 == seconds
    {
      authTime = Timestamp(milliseconds: milliseconds)
    }
    if case .array(let names)? = header[Self.claimNamesName] {
      claimNames = names.compactMap(\.stringValue)
    }
    identity = header[Self.identityName]?.stringValue
    mark = header[Self.markName]?.stringValue.flatMap { Int64($0, radix: 36) }
      .map(SessionMark.init(mark:))
  }

  /// Returns the mark of an identity: half of the SHA-256 of its key, in base64url.
  static func mark(of key: IdentityKey) -> String {
    // The lengths separate the parts, because a subject may hold any character.
    let text =
      "\(key.provider.rawValue.utf8.count) \(key.issuer.utf8.count) \(key.provider)\(key.issuer)\(key.subject)"
    return Base64.url.text(Array(SHA256.hash(data: Array(text.utf8)).prefix(16)))
  }
}
