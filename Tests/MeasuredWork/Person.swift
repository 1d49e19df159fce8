public import AuthCore
import AuthTesting

/// The texts of an account of the workload, a function of its number; made before anything is measured.
public struct Person: Sendable {
  public let id: AccountID
  public let email: String
  public let name: String
  public let photo: String
  public let google: String
  public let facebook: String
  public let secret: String
  /// The subject of the identity that is linked and unlinked.
  public let github: String

  public init(_ number: UInt32) {
    var texts = NumberedTexts(number)
    id = AccountID(texts.letters(28))
    google = texts.digits(21)
    facebook = texts.digits(16)
    github = texts.digits(21)
    secret = texts.letters(88)
    email = "person\(number).\(google.prefix(6))@example.com"
    name = "Person Number \(number)"
    photo = "https://photos.example/\(facebook)?size=96"
  }

  /// The whole account, as the store keeps it.
  public var account: Account {
    get throws {
      var account = Account(id: id, scope: Workload.scope, createdAt: Workload.time)
      account.email = try EmailAddress(email)
      account.emailVerified = true
      account.displayName = name
      account.photoURL = photo
      let profile = IdentityProfile(email: email, displayName: name, photoURL: photo)
      account.identities = [
        identity(IdentityKey(.google, subject: google), profile),
        identity(IdentityKey(ProviderID("facebook.com"), subject: facebook), profile),
        identity(
          IdentityKey(.password, subject: email), IdentityProfile(email: email),
          secret: StoredSecret(encoded: secret, changedAt: Workload.time)),
      ]
      return account
    }
  }

  private func identity(
    _ key: IdentityKey, _ profile: IdentityProfile, secret: StoredSecret? = nil
  ) -> Identity {
    Identity(
      key: key, profile: profile, emailVerified: true, origin: .credential,
      linkedAt: Workload.time, secret: secret)
  }
}

/// Texts that look like chance and are the same in each run, as the limits in C make them.
private struct NumberedTexts {
  private static let letterSet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

  private var generator: SeededGenerator

  init(_ number: UInt32) {
    generator = SeededGenerator(seed: UInt64(number) &* 0x2545_f491_4f6c_dd1d &+ 1)
  }

  mutating func letters(_ count: Int) -> String {
    text(count) { Self.letterSet[Int($0 % 62)] }
  }

  mutating func digits(_ count: Int) -> String {
    text(count) { UInt8(ascii: "1") + UInt8($0 % 9) }
  }

  private mutating func text(_ count: Int, _ character: (UInt64) -> UInt8) -> String {
    var bytes: [UInt8] = []
    for _ in 0..<count { bytes.append(character(generator.next())) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
