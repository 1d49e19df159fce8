import AuthCore
import FakeVendors
import TestSupport

/// Every way to sign in: each provider with each of its kinds of credentials.
enum Way: String, CaseIterable, Sendable, CustomStringConvertible {
  case googleIDToken = "google.com idToken"
  case googleAccessToken = "google.com accessToken"
  case googleCode = "google.com authorizationCode"
  case facebookAccessToken = "facebook.com accessToken"
  case facebookLimitedLogin = "facebook.com limitedLogin"
  case facebookCode = "facebook.com authorizationCode"
  case appleIDToken = "apple.com idToken"
  case appleCode = "apple.com authorizationCode"
  case oidcIDToken = "oidc.staff idToken"
  case oidcCode = "oidc.staff authorizationCode"
  case acmeIDToken = "acme.example idToken"
  case acmeCode = "acme.example authorizationCode"
  case scriptIDToken = "script.example idToken"
  case scriptCode = "script.example authorizationCode"
  case plainAccessToken = "plain.example accessToken"
  case plainCode = "plain.example authorizationCode"
  case gameCenterPlayer = "gc.apple.com player"
  case playGamesCode = "playgames.google.com serverAuthCode"
  case phone = "phone credential"
  case emailLink = "emailLink credential"
  case password = "password credential"
  case custom = "custom customToken"
  case anonymous = "anonymous credential"

  var description: String { rawValue }
  var provider: ProviderID { ProviderID(words[0]) }
  var builder: String { words[1] }
  private var words: [String] { rawValue.split(separator: " ").map(String.init) }

  /// The ways that prove an identity, which an account can own.
  static let withIdentity = allCases.filter { ![.custom, .anonymous].contains($0) }
  /// The ways whose credential has an e-mail address that the person did not choose in the sign-in.
  static let withEmail = withIdentity.filter { ![.phone, .password].contains($0) && !$0.isPlayer }
  /// The ways that sign in to an existing account.
  static let returning = allCases.filter { $0 != .anonymous }

  /// The vendor of the way, if it has one.
  var vendor: Vendor? { Vendor(rawValue: provider.rawValue) }

  /// True if the provider verifies the addresses of the usual people.
  var vouchesForEmail: Bool {
    switch self {
    case .googleIDToken, .googleAccessToken, .googleCode, .appleIDToken, .appleCode, .oidcIDToken,
      .oidcCode, .acmeIDToken, .acmeCode, .scriptIDToken, .scriptCode, .plainAccessToken,
      .plainCode, .emailLink:
      true
    case .facebookAccessToken, .facebookLimitedLogin, .facebookCode, .gameCenterPlayer,
      .playGamesCode, .phone, .password, .custom, .anonymous:
      false
    }
  }

  /// The error of a credential's second use; nil if the credential may be used again.
  var secondUse: AuthError.Code? {
    switch self {
    case .googleIDToken, .googleCode, .facebookLimitedLogin, .facebookCode, .appleIDToken,
      .appleCode, .oidcIDToken, .oidcCode, .acmeIDToken, .acmeCode, .scriptIDToken, .scriptCode,
      .plainCode, .gameCenterPlayer, .playGamesCode:
      .invalidCredential
    case .phone, .emailLink: .codeExpired
    // Valid until their expiry, as at the vendors.
    case .googleAccessToken, .facebookAccessToken, .plainAccessToken, .password, .custom,
      .anonymous:
      nil
    }
  }

  /// True if the vendor counts a code as used although the graph refused the sign-in.
  var isSpentAtVendor: Bool {
    builder == AuthorizationGrant.builderName || self == .playGamesCode
  }

  /// True if the vendor knows players, who have no address.
  var isPlayer: Bool { self == .gameCenterPlayer || self == .playGamesCode }

  /// True if the identity comes from an access token that the code brings.
  ///
  /// Such a token ends if the vendor sees the code again.
  var restsOnAccessToken: Bool { [.facebookCode, .plainCode, .playGamesCode].contains(self) }

  /// The identity of a person by this way; nil if there is none.
  func key(of person: FakePerson) throws -> IdentityKey? {
    switch self {
    case .phone: .phone(try person.phoneNumber)
    case .emailLink: IdentityKey(.emailLink, subject: try person.address.canonical)
    case .password: .password(try person.address)
    case .gameCenterPlayer:
      IdentityKey(provider, subject: FakeGameCenter.playerID(of: person))
    case .playGamesCode: IdentityKey(provider, subject: FakePlayGames.playerID(of: person))
    case .custom, .anonymous: nil
    default: IdentityKey(provider, subject: person.subject)
    }
  }
}

extension FakePerson {
  /// A further person, by name.
  static func named(_ name: String, email: String? = nil) -> FakePerson {
    // FNV-1a, so that a name is the same subject in every run.
    let number = name.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return FakePerson(
      subject: "9\(number)", email: email ?? "\(name)@example.com", name: "\(name) Doe",
      picture: "https://people.example/\(name).png")
  }

  var phoneNumber: PhoneNumber {
    get throws { try PhoneNumber("+4915\(subject.suffix(9))") }
  }

  var address: EmailAddress {
    get throws { try EmailAddress(try email.unwrapped("address of \(subject)")) }
  }

  var password: String { "the password of \(subject)" }
  var uid: AccountID { AccountID("custom-\(subject)") }
}
