public import Foundation

/// An app's name and settings, so that code which configures Firebase works unchanged.
///
/// With ``FirebaseOptions/authServerURL`` the app's accounts are on that server, without it at Firebase.
#if canImport(ObjectiveC)
  @objc(FIRApp)
#endif
public final class FirebaseApp: NSObject, Sendable {
  /// The name of the default app, which ``Auth/auth()`` belongs to.
  public static let defaultName = "__FIRAPP_DEFAULT"

  private static let apps = Locked<[String: FirebaseApp]>([:])

  /// The app's name.
  public let name: String
  /// The app's settings.
  public let options: FirebaseOptions

  private let collectsData = Locked(true)

  private init(name: String, options: FirebaseOptions) {
    self.name = name
    self.options = options
  }

  /// A setting for source compatibility, which has no effect: the client collects no data.
  public var isDataCollectionDefaultEnabled: Bool {
    get { collectsData.withLock(\.self) }
    set { collectsData.withLock { $0 = newValue } }
  }

  /// Configures the default app from `GoogleService-Info.plist` in the main bundle.
  ///
  /// Traps if there is no such file or it has no API key.
  public static func configure() {
    guard let options = FirebaseOptions.defaultOptions() else {
      fatalError(
        "There is no GoogleService-Info.plist with an API_KEY in the app's bundle. Add it, or call "
          + "FirebaseApp.configure(options:) or Auth.configure(backend:).")
    }
    configure(options: options)
  }

  /// Configures the default app; traps if that was done already.
  public static func configure(options: FirebaseOptions) {
    configure(name: defaultName, options: options)
  }

  /// Configures an app; traps if an app of this name is configured already.
  public static func configure(name: String, options: FirebaseOptions) {
    let isNew = apps.withLock { apps in
      guard apps[name] == nil else { return false }
      apps[name] = FirebaseApp(name: name, options: options)
      return true
    }
    precondition(isNew, "The app \(name) is configured already.")
  }

  /// Returns the default app; nil before it is configured.
  public static func app() -> FirebaseApp? { app(name: defaultName) }

  /// Returns an app by its name; nil before it is configured.
  public static func app(name: String) -> FirebaseApp? { apps.withLock { $0[name] } }

  /// The configured apps by their names; nil if there are none.
  public static var allApps: [String: FirebaseApp]? {
    apps.withLock { $0.isEmpty ? nil : $0 }
  }

  /// Removes the app and its ``Auth``.
  ///
  /// The stored session stays.
  public func delete() async -> Bool {
    Auth.forget(self)
    return Self.apps.withLock { $0.removeValue(forKey: name) } != nil
  }

  /// Runs ``delete()`` and calls back on the main queue.
  public func delete(_ completion: @escaping (Bool) -> Void) {
    complete({ (isRemoved: Bool?, _) in completion(isRemoved == true) }, { await self.delete() })
  }
}
