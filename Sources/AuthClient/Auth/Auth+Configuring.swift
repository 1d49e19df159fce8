import Foundation
import NIOConcurrencyHelpers

extension Auth {
  /// One for each app's name, as the API of ``auth()`` and ``auth(app:)`` wants it.
  private static let all = NIOLockedValueBox<[String: Auth]>([:])

  /// Says what ``auth()`` uses, in place of `FirebaseApp.configure()`.
  ///
  /// Call it once, when the program starts. Called again it replaces the ``Auth`` that ``auth()`` gives; users
  /// of the one before go on with theirs.
  ///
  /// The backend is whoever keeps the accounts: ``HTTPBackend`` or `EmbeddedBackend`. The API key is what the
  /// server knows the app by; any text does where a server wants none. The storage keeps the signed-in user
  /// between runs; nil stands for the platform's usual place: the Keychain, or on Linux a file that only its
  /// owner may read.
  @discardableResult
  public static func configure(
    backend: any AuthBackend, apiKey: String = "authgraph", storage: (any SessionStorage)? = nil
  ) -> Auth {
    let name = FirebaseApp.defaultName
    let auth = Auth(
      appName: name, backend: backend, apiKey: apiKey,
      storage: storage ?? StandardSessionStorage.storage(app: name, googleAppID: apiKey))
    all.withLockedValue { all in
      all[name]?.retire()
      all[name] = auth
    }
    return auth
  }

  /// The default app's.
  ///
  /// Traps where neither ``configure(backend:apiKey:storage:)`` nor `FirebaseApp.configure()` was called.
  public static func auth() -> Auth {
    if let auth = configured { return auth }
    guard let app = FirebaseApp.app() else {
      fatalError(
        "Nothing is configured. Call Auth.configure(backend:) or FirebaseApp.configure() before "
          + "Auth.auth().")
    }
    return auth(app: app)
  }

  /// The one of an app, made at the first call.
  ///
  /// Traps where the app's options name no API key.
  public static func auth(app: FirebaseApp) -> Auth {
    all.withLockedValue { all in
      if let auth = all[app.name] { return auth }
      guard let key = app.options.apiKey, !key.isEmpty else {
        fatalError("The options of the app \(app.name) name no apiKey.")
      }
      let backend = app.options.authServerURL.map(HTTPBackend.init(server:)) ?? .firebase
      let auth = Auth(
        appName: app.name, backend: backend, apiKey: key,
        storage: StandardSessionStorage.storage(
          app: app.name, googleAppID: app.options.googleAppID))
      all[app.name] = auth
      return auth
    }
  }

  /// The default one where it is there already.
  static var configured: Auth? { all.withLockedValue { $0[FirebaseApp.defaultName] } }

  static func forget(_ app: FirebaseApp) {
    all.withLockedValue { $0.removeValue(forKey: app.name)?.retire() }
  }
}
