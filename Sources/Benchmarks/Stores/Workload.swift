import AuthCore
import AuthTesting
import CLimits

/// What is done to the stores that are compared.
enum Operation: String, CaseIterable, Sendable {
  /// An identity's account, with everything that is in it.
  case signIn = "sign-in"
  case link
  case unlink
  case merge
  /// A link that meets another account, which a policy in Lua answers with a merge.
  case policyMerge = "by-policy"
  /// A page of a thousand accounts.
  case list
  /// Such a page as JSON.
  case listJSON = "list-json"

  var isWriting: Bool { self != .signIn && !isList }

  var isList: Bool { self == .list || self == .listJSON }

  /// Whether it takes two accounts, of which one is left.
  var isMerge: Bool { self == .merge || self == .policyMerge }

  var limit: LimitsOperation {
    switch self {
    case .signIn: LIMITS_SIGN_IN
    case .link: LIMITS_LINK
    case .unlink: LIMITS_UNLINK
    case .merge, .policyMerge: LIMITS_MERGE
    case .list, .listJSON: LIMITS_LIST
    }
  }
}

/// The accounts of the workload, which are functions of their numbers.
struct Workload {
  static let scope = Scope(project: LIMITS_PROJECT)
  static let linked = ProviderID("github.com")
  static let time = Timestamp(milliseconds: 1_700_000_000_000)

  /// An account's texts, made before anything is measured.
  struct Texts: Sendable {
    let id: AccountID
    let email: String
    let name: String
    let photo: String
    let google: String
    let facebook: String
    let secret: String
    let github: String

    init(_ number: UInt32) {
      let account = limits_account(number)
      id = AccountID(Self.text(account.uid))
      email = Self.text(account.email)
      name = Self.text(account.name)
      photo = Self.text(account.photo)
      google = Self.text(account.google)
      facebook = Self.text(account.facebook)
      secret = Self.text(account.secret)
      github = Self.text(account.github)
    }

    private static func text<Characters>(_ characters: Characters) -> String {
      withUnsafeBytes(of: characters) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    }

    /// The whole account, as the store keeps it.
    var account: Account {
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

  /// The numbers of accounts in an order that has nothing to do with their uids or places.
  private let order: [UInt32]
  private var next = 0

  init(accounts: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    order = (0..<UInt32(accounts)).shuffled(using: &generator)
  }

  /// The accounts that are merged, which nothing else is done to: two fifths.
  private var mergeable: Int { order.count * 2 / 5 }
  private var merged = 0

  /// The next numbers; after the last come the first again, but for merges, which find fewer in the end.
  mutating func take(_ count: Int, for operation: Operation) -> [UInt32] {
    if operation.isMerge {
      let end = min(merged + 2 * count, mergeable / 2 * 2)
      defer { merged = end }
      return Array(order[merged..<end])
    }
    let others = order.count - mergeable
    defer { next += count }
    return (0..<count).map { order[mergeable + (next + $0) % others] }
  }
}
