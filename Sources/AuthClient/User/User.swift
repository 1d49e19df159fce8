public import Foundation
import NIOConcurrencyHelpers

/// An account that somebody is signed in to.
///
/// The same object goes on while its owner links and unlinks ways in; see ``link(with:)``. What it says of
/// the account is what the server said last; ``reload()`` asks again.
///
/// It keeps its ``Auth``, so an account that is not current any more can still be asked about, linked to
/// and merged.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRUser)
#endif
public final class User: NSObject, UserInfo, Sendable {
  let auth: Auth
  let tokens: TokenKeeper
  let calls = CallsInFlight()
  private let profile: NIOLockedValueBox<StoredUser>

  init(_ stored: StoredUser, auth: Auth) {
    self.auth = auth
    profile = NIOLockedValueBox(stored)
    let owner = Owner()
    tokens = TokenKeeper(
      stored.tokens, now: auth.now, refresh: { try await auth.refresh($0) },
      didRefresh: { if let user = owner.user { try auth.changed(user) } })
    super.init()
    owner.user = self
  }

  /// Whose the tokens are, for what happens when they were refreshed.
  private final class Owner: Sendable {
    private let reference = NIOLockedValueBox(Reference())

    private struct Reference {
      weak var user: User?
    }

    var user: User? {
      get { reference.withLockedValue(\.user) }
      set { reference.withLockedValue { $0.user = newValue } }
    }
  }

  /// Always `Firebase`; the providers are those of ``providerData``.
  public var providerID: String { "Firebase" }

  /// The account's ID, the same whichever way somebody signs in.
  public var uid: String { read(\.uid) }
  public var displayName: String? { read(\.displayName) }
  public var email: String? { read(\.email) }
  public var phoneNumber: String? { read(\.phoneNumber) }
  public var photoURL: URL? { read(\.photoURL).flatMap(URL.init(string:)) }

  /// Whether the account was opened without any way in, and has none yet.
  public var isAnonymous: Bool { read(\.isAnonymous) }

  /// Whether the owner showed that the address is theirs.
  public var isEmailVerified: Bool { read(\.isEmailVerified) }

  /// The ways in, in no order that means anything.
  public var providerData: [any UserInfo] { read(\.providers).map(ProviderUserInfo.init) }

  public var metadata: UserMetadata {
    UserMetadata(creationDate: read(\.createdAt), lastSignInDate: read(\.lastSignInAt))
  }

  /// The tenant that the account belongs to; nil for the project's own.
  public var tenantID: String? { read(\.tenantID) }

  /// What gets new ID tokens; keep it as secret as a password.
  public var refreshToken: String? { tokens.pair.refreshToken }

  /// The account's second factors.
  public var multiFactor: MultiFactor { MultiFactor(user: self) }

  /// The uid; nothing that would be secret.
  public override var description: String { "User \(uid)" }

  func read<Value: Sendable>(_ path: any KeyPath<StoredUser, Value> & Sendable) -> Value {
    profile.withLockedValue { $0[keyPath: path] }
  }

  /// The ID token as it is, even if it is over.
  var rawToken: String { tokens.pair.idToken }

  /// The account with its tokens as they are now.
  var stored: StoredUser {
    var stored = profile.withLockedValue(\.self)
    stored.tokens = tokens.pair
    return stored
  }

  /// Changes what is known of the account, stores it and tells whoever listens.
  func update(_ change: (inout StoredUser) -> Void) throws {
    profile.withLockedValue { change(&$0) }
    try auth.changed(self)
  }
}
