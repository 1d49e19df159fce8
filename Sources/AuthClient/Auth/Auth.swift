public import Foundation

/// The client of an app's accounts, which signs people in and stores the current user.
///
/// Start with ``configure(backend:apiKey:storage:clock:)`` and ``auth()``, then see ``signIn(with:)`` and
/// ``User/link(with:)``.
///
/// All members may be used on any thread. Errors are `NSError`s of ``AuthErrors/domain`` whose code is an
/// ``AuthErrorCode``; `error.authErrorCode`, `error.multiFactorResolver` and `error.updatedCredential` read them. A call
/// whose task is cancelled throws `CancellationError`.
///
/// A request is sent once. The one exception is an ID token that the server refuses, mostly because it has expired: it is
/// refreshed, and the request is sent again. After a failure whose `error.isRetryable` is true an app may try again; a
/// request without an answer may have been carried out.
#if canImport(ObjectiveC)
  @objc(FIRAuth)
#endif
public final class Auth: NSObject, Sendable {
  /// The name of the app that the instance belongs to.
  let appName: String
  let apiKey: String
  let clock: AuthClock
  let listeners = Listeners<User>()
  let state: Locked<State>
  /// A lock held while a session is stored, so that the stored and the current user change together.
  let storing = NSLock()
  /// The line of anonymous sign-ins, so that simultaneous ones open one account.
  let anonymousSignIns = ConcurrencyLimiter(limit: 1)
  /// The initial storage, used without an access group.
  let ownStorage: any SessionStorage

  struct State: Sendable {
    var backend: any AuthBackend
    var storage: any SessionStorage
    var currentUser: User?
    var storedSessionError: (any Error)?
    var languageCode: String?
    var tenantID: String?
    var settings: AuthSettings? = AuthSettings()
    var customAuthDomain: String?
    var accessGroup: String?
    var sharesState = false
    var autoRefresh: AutoRefresh?
    var apnsToken: Data?
  }

  /// Makes an independent instance, which ``auth()`` does not return.
  ///
  /// - Parameters:
  ///   - backend: The backend that stores the accounts.
  ///   - apiKey: The app's API key. Any text works if the server requires no key.
  ///   - storage: The place where the signed-in user is kept between runs; nil to keep it only in memory.
  ///   - clock: The clock of the tokens' expiry, which a test may move.
  public convenience init(
    backend: any AuthBackend, apiKey: String = "authgraph", storage: (any SessionStorage)? = nil,
    clock: AuthClock = .system
  ) {
    self.init(
      appName: "", backend: backend, apiKey: apiKey, storage: storage ?? MemorySessionStorage(),
      clock: clock)
  }

  init(
    appName: String, backend: any AuthBackend, apiKey: String, storage: any SessionStorage,
    clock: AuthClock = .system
  ) {
    self.appName = appName
    self.apiKey = apiKey
    self.clock = clock
    ownStorage = storage
    state = Locked(State(backend: backend, storage: storage))
    super.init()
    restore()
  }

  /// The app that the instance belongs to; nil if it was made without one.
  public var app: FirebaseApp? { FirebaseApp.app(name: appName) }

  /// The signed-in user.
  public var currentUser: User? { state.withLock(\.currentUser) }

  /// The error of reading the stored session; nil if it was read, or if there was none.
  ///
  /// No user is signed in then, and the next sign-in replaces the stored session. On Linux a file that
  /// others can read is such an error; it contains the remedy.
  public var storedSessionError: (any Error)? { state.withLock(\.storedSessionError) }

  /// The language of the server's messages as a BCP 47 code; nil for the server's default.
  public var languageCode: String? {
    get { state.withLock(\.languageCode) }
    set { state.withLock { $0.languageCode = newValue } }
  }

  /// The settings.
  ///
  /// An assigned value is copied.
  public var settings: AuthSettings? {
    get { state.withLock(\.settings) }
    set { state.withLock { $0.settings = newValue?.duplicate } }
  }

  /// The tenant of sign-ins; nil for the project's own accounts.
  public var tenantID: String? {
    get { state.withLock(\.tenantID) }
    set { state.withLock { $0.tenantID = newValue } }
  }

  /// A setting for source compatibility, which has no effect.
  public var customAuthDomain: String? {
    get { state.withLock(\.customAuthDomain) }
    set { state.withLock { $0.customAuthDomain = newValue } }
  }

  /// Returns the time of ``clock``.
  func now() -> Date { clock.now() }

  /// The client's side of the protocol, with the current settings.
  var toolkit: Toolkit {
    state.withLock {
      Toolkit(
        backend: $0.backend, apiKey: apiKey, languageCode: $0.languageCode, tenantID: $0.tenantID)
    }
  }

  /// Sets ``languageCode`` to the device's first preferred language.
  public func useAppLanguage() {
    languageCode = Locale.preferredLanguages.first
  }

  /// Switches to an emulator, AuthGraph's or Firebase's.
  ///
  /// Call it before anything else. Traps if the host is empty.
  public func useEmulator(withHost host: String, port: Int) {
    precondition(!host.isEmpty, "The emulator's host is empty.")
    state.withLock {
      $0.backend = HTTPBackend(emulatorHost: host, port: port)
      $0.settings?.isAppVerificationDisabledForTesting = true
    }
  }
}
