import AuthValues
public import Foundation

/// The settings of an e-mail link: its continue URL, and the app that opens it.
#if canImport(ObjectiveC)
  @objc(FIRActionCodeSettings)
#endif
public final class ActionCodeSettings: NSObject, NSCopying, Sendable {
  private struct Values {
    var url: URL?
    var handleCodeInApp = false
    var iOSBundleID = Bundle.main.bundleIdentifier
    var androidPackageName: String?
    var androidMinimumVersion: String?
    var androidInstallIfNotAvailable = false
    var linkDomain: String?
  }

  private let values: Locked<Values>

  /// Makes settings with the bundle ID of the running app and nothing else.
  public override init() {
    values = Locked(Values())
  }

  private init(_ given: Values) {
    values = Locked(given)
  }

  /// The continue URL, to which the link leads after its code was used.
  ///
  /// Its host has to be one of the project's authorized domains.
  public var url: URL? {
    get { values.withLock(\.url) }
    set { values.withLock { $0.url = newValue } }
  }

  /// True if the link opens the app, which then uses the code itself.
  ///
  /// Sign-in links require it.
  public var handleCodeInApp: Bool {
    get { values.withLock(\.handleCodeInApp) }
    set { values.withLock { $0.handleCodeInApp = newValue } }
  }

  /// The bundle ID of the iOS app that opens the link, by default the running app's.
  public var iOSBundleID: String? {
    get { values.withLock(\.iOSBundleID) }
    set { values.withLock { $0.iOSBundleID = newValue } }
  }

  /// Sets ``iOSBundleID``.
  public func setIOSBundleID(_ iOSBundleID: String) {
    self.iOSBundleID = iOSBundleID
  }

  /// The package name of the Android app that opens the link.
  public var androidPackageName: String? { values.withLock(\.androidPackageName) }

  /// The minimum version of the Android app.
  public var androidMinimumVersion: String? { values.withLock(\.androidMinimumVersion) }

  /// True if the Android app is to be installed if it is missing.
  public var androidInstallIfNotAvailable: Bool {
    get { values.withLock(\.androidInstallIfNotAvailable) }
    set { values.withLock { $0.androidInstallIfNotAvailable = newValue } }
  }

  /// The domain of the link; nil for the server's own.
  public var linkDomain: String? {
    get { values.withLock(\.linkDomain) }
    set { values.withLock { $0.linkDomain = newValue } }
  }

  /// Sets the Android app that opens the link.
  public func setAndroidPackageName(
    _ androidPackageName: String, installIfNotAvailable: Bool, minimumVersion: String?
  ) {
    values.withLock {
      $0.androidPackageName = androidPackageName
      $0.androidInstallIfNotAvailable = installIfNotAvailable
      $0.androidMinimumVersion = minimumVersion
    }
  }

  /// Returns independent settings with the same values.
  public func copy(with zone: NSZone? = nil) -> Any {
    ActionCodeSettings(values.withLock { $0 })
  }
}

extension ActionCodeSettings {
  /// The members of a request for a code.
  ///
  /// Servers refuse unknown names.
  var members: [String: JSONValue] {
    let values = values.withLock { $0 }
    var members: [String: JSONValue] = [:]
    let texts = [
      ("continueUrl", values.url?.absoluteString), ("iOSBundleId", values.iOSBundleID),
      ("androidPackageName", values.androidPackageName),
      ("androidMinimumVersion", values.androidMinimumVersion), ("linkDomain", values.linkDomain),
    ]
    for (name, text) in texts {
      if let text, !text.isEmpty { members[name] = .string(text) }
    }
    if values.handleCodeInApp { members["canHandleCodeInApp"] = true }
    if values.androidInstallIfNotAvailable { members["androidInstallApp"] = true }
    return members
  }
}
