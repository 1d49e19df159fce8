import Foundation

extension Auth {
  /// The instances for ``auth()`` and ``auth(app:)``, by app name.
  private static let all = Locked<[String: Auth]>([:])

  /// Configures ``auth()``, as an alternative to `FirebaseApp.configure()`.
  ///
  /// Call it once, when the program starts. A later call replaces the ``Auth`` that ``auth()`` returns; existing
  /// users keep the earlier one.
  ///
  /// - Parameters:
  ///   - backend: The accounts' backend: ``HTTPBackend`` or `EmbeddedBackend`.
  ///   - apiKey: The key by which the server knows the app. Any text does if the server requires none.
  ///   - storage: The storage of the signed-in user between runs. Nil means the Keychain, or on Linux a file that
  ///     only its owner may read.
  ///   - clock: The clock of the tokens' expiry, which a test may move.
  /// - Returns: The instance that ``auth()`` returns from now on.
  @discardableResult
  public static func configure(
    backend: any AuthBackend, apiKey: String = "authgraph", storage: (any SessionStorage)? = nil,
    clock: AuthClock = .system
  ) -> Auth {
    let name = FirebaseApp.defaultName
    let auth = Auth(
      appName: name, backend: backend, apiKey: apiKey,
      storage: storage ?? StandardSessionStorage.storage(app: name, googleAppID: apiKey),
      clock: clock)
    all.withLock { all in
      all[name]?.retire()
      all[name] = auth
    }
    return auth
  }

  /// Returns the default app's instance.
  ///
  /// Traps if neither ``configure(backend:apiKey:storage:clock:)`` nor `FirebaseApp.configure()` was called.
  public static func auth() -> Auth {
    if let auth = configured { return auth }
    guard let app = FirebaseApp.app() else {
      fatalError(
        "Nothing is configured. Call Auth.configure(backend:) or FirebaseApp.configure() before "
          + "Auth.auth().")
    }
    return auth(app: app)
  }

  /// Returns an app's instance, which the first call makes.
  ///
  /// Traps if the app's options have no API key.
  public static func auth(app: FirebaseApp) -> Auth {
    all.withLock { all in
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

  /// The default app's instance if there is one.
  static var configured: Auth? { all.withLock { $0[FirebaseApp.defaultName] } }

  static func forget(_ app: FirebaseApp) {
    all.withLock { $0.removeValue(forKey: app.name)?.retire() }
  }
}
