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

  private init(name: String, options: FirebaseOptions) {
    self.name = name
    self.options = options
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

  /// Removes the app and its ``Auth``.
  ///
  /// The stored session stays.
  public func delete() async -> Bool {
    Auth.forget(self)
    return Self.apps.withLock { $0.removeValue(forKey: name) } != nil
  }
}

/// The settings of an app.
#if canImport(ObjectiveC)
  @objc(FIROptions)
#endif
public final class FirebaseOptions: NSObject, Sendable {
  /// Google's ID of the app.
  public let googleAppID: String
  /// The sender ID of Google's messaging, for source compatibility.
  public let gcmSenderID: String
  private let values: Locked<Values>

  private struct Values {
    var apiKey: String?
    var projectID: String?
    var bundleID = Bundle.main.bundleIdentifier ?? ""
    var authServerURL: URL?
  }

  /// Makes options without an API key.
  public init(googleAppID: String, gcmSenderID: String) {
    self.googleAppID = googleAppID
    self.gcmSenderID = gcmSenderID
    values = Locked(Values())
  }

  /// Reads a property list such as `GoogleService-Info.plist`; nil if it cannot be read or has no API key.
  ///
  /// Besides Firebase's keys it may have `AUTH_SERVER_URL`, the address of an AuthGraph server.
  public convenience init?(contentsOfFile path: String) {
    guard let data = FileManager.default.contents(atPath: path),
      let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
      let keys = list as? [String: Any], let key = keys["API_KEY"] as? String
    else { return nil }
    self.init(
      googleAppID: keys["GOOGLE_APP_ID"] as? String ?? "",
      gcmSenderID: keys["GCM_SENDER_ID"] as? String ?? "")
    apiKey = key
    projectID = keys["PROJECT_ID"] as? String
    authServerURL = (keys["AUTH_SERVER_URL"] as? String).flatMap(URL.init(string:))
  }

  static func defaultOptions() -> FirebaseOptions? {
    Bundle.main.path(forResource: "GoogleService-Info", ofType: "plist")
      .flatMap(FirebaseOptions.init(contentsOfFile:))
  }

  /// The API key of the project.
  public var apiKey: String? {
    get { values.withLock(\.apiKey) }
    set { values.withLock { $0.apiKey = newValue } }
  }

  /// The ID of the project.
  public var projectID: String? {
    get { values.withLock(\.projectID) }
    set { values.withLock { $0.projectID = newValue } }
  }

  /// The bundle ID of the app.
  public var bundleID: String {
    get { values.withLock(\.bundleID) }
    set { values.withLock { $0.bundleID = newValue } }
  }

  /// The address of the accounts' server; nil for Firebase.
  public var authServerURL: URL? {
    get { values.withLock(\.authServerURL) }
    set { values.withLock { $0.authServerURL = newValue } }
  }
}
