public import Foundation
import NIOConcurrencyHelpers

/// The accounts of an app: signs people in, and keeps who is signed in.
///
/// Start with ``configure(backend:apiKey:storage:)`` and ``auth()``, then see ``signIn(with:)`` and
/// ``User/link(with:)``.
///
/// Everything here may be called from any thread. Errors are `NSError`s of ``AuthErrors/domain`` whose code is
/// an ``AuthErrorCode``; a call whose task is cancelled throws `CancellationError`.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRAuth)
#endif
public final class Auth: NSObject, Sendable {
  /// The name of the app that this belongs to.
  let appName: String
  let apiKey: String
  let now: @Sendable () -> Date
  let listeners = Listeners<User>()
  let state: NIOLockedValueBox<State>
  /// Held while a session is stored, so that what is stored and who is current change together.
  let storing = NIOLock()
  /// Where the user was kept at the beginning.
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
  }

  /// Makes one of its own, which ``auth()`` knows nothing of.
  ///
  /// - Parameters:
  ///   - backend: Who keeps the accounts.
  ///   - apiKey: What the server knows the app by; any text where a server wants none.
  ///   - storage: Where the signed-in user is kept between runs; nil for memory alone.
  public convenience init(
    backend: any AuthBackend, apiKey: String = "authgraph", storage: (any SessionStorage)? = nil
  ) {
    self.init(
      appName: "", backend: backend, apiKey: apiKey, storage: storage ?? MemorySessionStorage())
  }

  package init(
    appName: String, backend: any AuthBackend, apiKey: String, storage: any SessionStorage,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.appName = appName
    self.apiKey = apiKey
    self.now = now
    ownStorage = storage
    state = NIOLockedValueBox(State(backend: backend, storage: storage))
    super.init()
    restore()
  }

  /// The app that this belongs to; nil where it was made without one.
  public var app: FirebaseApp? { FirebaseApp.app(name: appName) }

  /// Whoever is signed in.
  public var currentUser: User? { state.withLockedValue(\.currentUser) }

  /// Why the session that was stored when the program ran before could not be read; nil where it was, or there was
  /// none.
  ///
  /// Nobody is signed in then, and the next sign-in takes the stored session's place. On Linux it may be a file that
  /// others could read; the error says how to mend that.
  public var storedSessionError: (any Error)? { state.withLockedValue(\.storedSessionError) }

  /// The language of messages that the server sends, as a BCP 47 code; nil for the server's own choice.
  public var languageCode: String? {
    get { state.withLockedValue(\.languageCode) }
    set { state.withLockedValue { $0.languageCode = newValue } }
  }

  /// The settings; what is assigned is copied.
  public var settings: AuthSettings? {
    get { state.withLockedValue(\.settings) }
    set { state.withLockedValue { $0.settings = newValue?.duplicate } }
  }

  /// The tenant whose accounts sign-ins are about; nil for the project's own.
  public var tenantID: String? {
    get { state.withLockedValue(\.tenantID) }
    set { state.withLockedValue { $0.tenantID = newValue } }
  }

  /// Kept for code that sets it; nothing here reads it.
  public var customAuthDomain: String? {
    get { state.withLockedValue(\.customAuthDomain) }
    set { state.withLockedValue { $0.customAuthDomain = newValue } }
  }

  /// Speaks to the server as the settings are now.
  var toolkit: Toolkit {
    state.withLockedValue {
      Toolkit(
        backend: $0.backend, apiKey: apiKey, languageCode: $0.languageCode, tenantID: $0.tenantID)
    }
  }

  /// Takes the device's first preferred language for messages.
  public func useAppLanguage() {
    languageCode = Locale.preferredLanguages.first
  }

  /// Asks an emulator from now on, AuthGraph's or Firebase's.
  ///
  /// Call it before anything else. Traps where the host is empty.
  public func useEmulator(withHost host: String, port: Int) {
    precondition(!host.isEmpty, "The emulator's host is empty.")
    state.withLockedValue {
      $0.backend = HTTPBackend(emulatorHost: host, port: port)
      $0.settings?.isAppVerificationDisabledForTesting = true
    }
  }
}
