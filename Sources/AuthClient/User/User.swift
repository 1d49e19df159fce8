public import Foundation

/// A signed-in account.
///
/// The same object remains while identities are linked and unlinked; see ``link(with:)``. Its values are those of the
/// server's last answer; ``reload()`` asks again.
///
/// It keeps its ``Auth``, so an account that is not current any more can still be reloaded, linked and merged.
#if canImport(ObjectiveC)
  @objc(FIRUser)
#endif
public final class User: NSObject, UserInfo, Sendable {
  let auth: Auth
  let tokens: TokenKeeper
  /// The requests that may bring new tokens, one at a time.
  let changes = ConcurrencyLimiter(limit: 1)
  private let profile: Locked<Profile>

  /// The account's values, and the number of changes since the object was made.
  private struct Profile: Sendable {
    var stored: StoredUser
    var edition: UInt64 = 0
  }

  init(_ stored: StoredUser, auth: Auth) {
    self.auth = auth
    profile = Locked(Profile(stored: stored))
    let owner = Owner()
    tokens = TokenKeeper(
      stored.tokens, now: auth.clock.now, refresh: { try await auth.refresh($0) },
      didRefresh: { if let user = owner.user { try auth.changed(user) } })
    super.init()
    owner.user = self
  }

  /// The owner of the tokens, to be informed after a refresh.
  private final class Owner: Sendable {
    private let reference = Locked(Reference())

    private struct Reference {
      weak var user: User?
    }

    var user: User? {
      get { reference.withLock(\.user) }
      set { reference.withLock { $0.user = newValue } }
    }
  }

  /// Always `Firebase`; ``providerData`` has the providers.
  public var providerID: String { "Firebase" }

  /// The account's ID, the same for all sign-in methods.
  public var uid: String { read(\.uid) }
  /// The account's display name.
  public var displayName: String? { read(\.displayName) }
  /// The account's e-mail address.
  public var email: String? { read(\.email) }
  /// The account's phone number in E.164 form.
  public var phoneNumber: String? { read(\.phoneNumber) }
  /// The URL of the account's picture.
  public var photoURL: URL? { read(\.photoURL).flatMap(URL.init(string:)) }

  /// True if the account has no sign-in method yet.
  public var isAnonymous: Bool { read(\.isAnonymous) }

  /// True if the owner has proved the address.
  public var isEmailVerified: Bool { read(\.isEmailVerified) }

  /// The account's identities, in no particular order.
  public var providerData: [any UserInfo] { read(\.providers).map(ProviderUserInfo.init) }

  /// The times of the account's creation and last sign-in.
  public var metadata: UserMetadata {
    UserMetadata(creationDate: read(\.createdAt), lastSignInDate: read(\.lastSignInAt))
  }

  /// The tenant that the account belongs to; nil for the project's own.
  public var tenantID: String? { read(\.tenantID) }

  /// The token for new ID tokens.
  ///
  /// Keep it as secret as a password.
  public var refreshToken: String? { tokens.pair.refreshToken }

  /// The account's second factors.
  public var multiFactor: MultiFactor { MultiFactor(user: self) }

  /// The uid, and nothing secret.
  public override var description: String { "User \(uid)" }

  func read<Value: Sendable>(_ path: any KeyPath<StoredUser, Value> & Sendable) -> Value {
    profile.withLock { $0.stored[keyPath: path] }
  }

  /// The current ID token, even if it has expired.
  var rawToken: String { tokens.pair.idToken }

  /// The account with its current tokens.
  var stored: StoredUser {
    var stored = profile.withLock(\.stored)
    stored.tokens = tokens.pair
    return stored
  }

  /// The number of changes, by which an older answer is noticed.
  var edition: UInt64 { profile.withLock(\.edition) }

  /// Takes the account's values from the answer to a change, stores them and informs listeners.
  func update(_ change: (inout StoredUser) -> Void) throws {
    profile.withLock { profile in
      change(&profile.stored)
      profile.edition += 1
    }
    try auth.changed(self)
  }

  /// Takes the values that the server had at an edition, like ``update(_:)``; false if a change came meanwhile.
  func update(asOf edition: UInt64, _ change: (inout StoredUser) -> Void) throws -> Bool {
    let isCurrent = profile.withLock { profile in
      if profile.edition == edition { change(&profile.stored) }
      return profile.edition == edition
    }
    if isCurrent { try auth.changed(self) }
    return isCurrent
  }
}
