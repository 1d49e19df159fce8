import AuthCore
import Crypto

/// What the header of a signed token says of its session, so that the claims are exactly Firebase's.
///
/// Verifiers ignore members that they do not know (RFC 7515 section 4.3); this server reads them again.
struct SessionHeader: Sendable {
  /// When the session began, in milliseconds: the claim `auth_time` has whole seconds, and a session that began in the
  /// second in which another one was ended could not be told from that one.
  var authTime: Timestamp
  /// The names of the claims that are the session's own: an admin may since have taken a claim of that name from the
  /// account, and whoever goes on with the token would keep it.
  var claimNames: [String] = []
  /// The mark of the identity that the session began with; nil if it began with none.
  var identity: String?
  /// The mark that the account's sessions had when this one began; nil if the account had none.
  var mark: SessionMark?

  private static let authTimeName = "auth_time_ms"
  private static let claimNamesName = "session_claims"
  private static let identityName = "session_identity"
  // Until an account's sessions are ended their mark is that of its ownership.
  private static let markName = "session_ownership"

  /// Adds the members to those of a header.
  func add(to members: inout [String: JSONValue]) {
    members[Self.authTimeName] = .integer(authTime.milliseconds)
    if !claimNames.isEmpty {
      members[Self.claimNamesName] = .array(claimNames.map(JSONValue.string))
    }
    members[Self.identityName] = identity.map(JSONValue.string)
    // A text, because other readers of JSON round numbers of this size.
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

  /// Reads the header of a token whose claim `auth_time` has these seconds.
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

  /// The mark of an identity: half of the SHA-256 of its key, in base64url.
  static func mark(of key: IdentityKey) -> String {
    // The parts are told apart by their lengths, because a subject may hold any character.
    let text =
      "\(key.provider.rawValue.utf8.count) \(key.issuer.utf8.count) \(key.provider)\(key.issuer)\(key.subject)"
    return Base64.url.text(Array(SHA256.hash(data: Array(text.utf8)).prefix(16)))
  }
}
