public import Foundation

/// The settings of an app.
#if canImport(ObjectiveC)
  @objc(FIROptions)
#endif
public final class FirebaseOptions: NSObject, Sendable {
  private let values: Locked<Values>

  private struct Values {
    var googleAppID: String
    var gcmSenderID: String
    var apiKey: String?
    var projectID: String?
    var bundleID = Bundle.main.bundleIdentifier ?? ""
    var authServerURL: URL?
    var others: [Other: String] = [:]
  }

  /// The settings of Google's other services.
  private enum Other: String, CaseIterable {
    case clientID = "CLIENT_ID"
    case databaseURL = "DATABASE_URL"
    case storageBucket = "STORAGE_BUCKET"
    case appGroupID = "APP_GROUP_ID"
  }

  /// Makes options without an API key.
  public init(googleAppID: String, gcmSenderID: String) {
    values = Locked(Values(googleAppID: googleAppID, gcmSenderID: gcmSenderID))
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
    if let bundle = keys["BUNDLE_ID"] as? String { bundleID = bundle }
    for other in Other.allCases { set(other, keys[other.rawValue] as? String) }
    authServerURL = (keys["AUTH_SERVER_URL"] as? String).flatMap(URL.init(string:))
  }

  /// Reads `GoogleService-Info.plist` in the main bundle; nil like ``init(contentsOfFile:)``.
  public static func defaultOptions() -> FirebaseOptions? {
    Bundle.main.path(forResource: "GoogleService-Info", ofType: "plist")
      .flatMap(FirebaseOptions.init(contentsOfFile:))
  }

  /// Google's ID of the app.
  public var googleAppID: String {
    get { values.withLock(\.googleAppID) }
    set { values.withLock { $0.googleAppID = newValue } }
  }

  /// The sender ID of Google's messaging, for source compatibility.
  public var gcmSenderID: String {
    get { values.withLock(\.gcmSenderID) }
    set { values.withLock { $0.gcmSenderID = newValue } }
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

/// Settings of Google's other services, kept for the app's own use.
extension FirebaseOptions {
  /// The OAuth client ID, which the app gives to Google's sign-in.
  public var clientID: String? {
    get { other(.clientID) }
    set { set(.clientID, newValue) }
  }

  /// The address of Google's database.
  public var databaseURL: String? {
    get { other(.databaseURL) }
    set { set(.databaseURL, newValue) }
  }

  /// The name of Google's storage bucket.
  public var storageBucket: String? {
    get { other(.storageBucket) }
    set { set(.storageBucket, newValue) }
  }

  /// The group of the app and its extensions.
  public var appGroupID: String? {
    get { other(.appGroupID) }
    set { set(.appGroupID, newValue) }
  }

  private func other(_ other: Other) -> String? { values.withLock { $0.others[other] } }

  private func set(_ other: Other, _ value: String?) {
    values.withLock { $0.others[other] = value }
  }
}
