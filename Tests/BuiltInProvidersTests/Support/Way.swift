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
  case phone = "phone credential"
  case emailLink = "emailLink credential"
  case password = "password credential"
  case custom = "custom customToken"
  case anonymous = "anonymous credential"

  var description: String { rawValue }
  var provider: ProviderID { ProviderID(words[0]) }
  var builder: String { words[1] }
  private var words: [String] { rawValue.split(separator: " ").map(String.init) }

  /// Those that prove an identity, which an account can own.
  static let withIdentity = allCases.filter { ![.custom, .anonymous].contains($0) }
  /// Those whose credential names an e-mail address that the person need not have chosen now.
  static let withEmail = withIdentity.filter { ![.phone, .password].contains($0) }
  /// Those that lead to an account that is there already.
  static let returning = allCases.filter { $0 != .anonymous }

  /// The vendor that the way goes to, where it goes to one.
  var vendor: Vendor? { Vendor(rawValue: provider.rawValue) }

  /// Whether the provider vouches for the addresses of the usual people.
  var vouchesForEmail: Bool {
    switch self {
    case .googleIDToken, .googleAccessToken, .googleCode, .appleIDToken, .appleCode, .oidcIDToken,
      .oidcCode, .acmeIDToken, .acmeCode, .scriptIDToken, .scriptCode, .plainAccessToken,
      .plainCode, .emailLink:
      true
    case .facebookAccessToken, .facebookLimitedLogin, .facebookCode, .phone, .password, .custom,
      .anonymous:
      false
    }
  }

  /// Whether a credential is good for one success, and the error of the second use.
  var secondUse: AuthError.Code? {
    switch self {
    case .googleIDToken, .googleCode, .facebookLimitedLogin, .facebookCode, .appleIDToken,
      .appleCode, .oidcIDToken, .oidcCode, .acmeIDToken, .acmeCode, .scriptIDToken, .scriptCode,
      .plainCode:
      .invalidCredential
    case .phone, .emailLink: .codeExpired
    // As at the vendors: they are good until they end.
    case .googleAccessToken, .facebookAccessToken, .plainAccessToken, .password, .custom,
      .anonymous:
      nil
    }
  }

  /// Whether the vendor counts a code as used although the graph refused what it was for.
  var isSpentAtVendor: Bool { builder == AuthorizationGrant.builderName }

  /// Whether who somebody is comes by an access token that the code brings, and that ends where a vendor sees the
  /// code again.
  var restsOnAccessToken: Bool { self == .facebookCode || self == .plainCode }

  /// The identity that a person has by this way; nil where there is none.
  func key(of person: FakePerson) throws -> IdentityKey? {
    switch self {
    case .phone: .phone(try person.phoneNumber)
    case .emailLink: IdentityKey(.emailLink, subject: try person.address.canonical)
    case .password: .password(try person.address)
    case .custom, .anonymous: nil
    default: IdentityKey(provider, subject: person.subject)
    }
  }
}

extension FakePerson {
  /// Somebody else than all others, by name.
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
