import AuthValues
public import Foundation
import NIOConcurrencyHelpers

/// How the link of an e-mail leads back to the app.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRActionCodeSettings)
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

  private let values: NIOLockedValueBox<Values>

  /// Begins with the bundle ID of the running app and nothing else.
  public override init() {
    values = NIOLockedValueBox(Values())
  }

  private init(_ given: Values) {
    values = NIOLockedValueBox(given)
  }

  /// The continue URL: where the link leads after its code was used.
  ///
  /// Its host has to be one of the project's authorized domains.
  public var url: URL? {
    get { values.withLockedValue(\.url) }
    set { values.withLockedValue { $0.url = newValue } }
  }

  /// Whether the link leads to the app, which then uses the code itself; sign-in links have to.
  public var handleCodeInApp: Bool {
    get { values.withLockedValue(\.handleCodeInApp) }
    set { values.withLockedValue { $0.handleCodeInApp = newValue } }
  }

  /// The iOS app that opens the link; the running app's bundle ID unless set.
  public var iOSBundleID: String? {
    get { values.withLockedValue(\.iOSBundleID) }
    set { values.withLockedValue { $0.iOSBundleID = newValue } }
  }

  /// The Android app that opens the link.
  public var androidPackageName: String? { values.withLockedValue(\.androidPackageName) }

  /// The version that the Android app has to have at least.
  public var androidMinimumVersion: String? { values.withLockedValue(\.androidMinimumVersion) }

  /// Whether the Android app is to be installed where it is missing.
  public var androidInstallIfNotAvailable: Bool {
    get { values.withLockedValue(\.androidInstallIfNotAvailable) }
    set { values.withLockedValue { $0.androidInstallIfNotAvailable = newValue } }
  }

  /// The domain of the link; the server's own unless set.
  public var linkDomain: String? {
    get { values.withLockedValue(\.linkDomain) }
    set { values.withLockedValue { $0.linkDomain = newValue } }
  }

  /// Sets the Android app that opens the link.
  public func setAndroidPackageName(
    _ androidPackageName: String, installIfNotAvailable: Bool, minimumVersion: String?
  ) {
    values.withLockedValue {
      $0.androidPackageName = androidPackageName
      $0.androidInstallIfNotAvailable = installIfNotAvailable
      $0.androidMinimumVersion = minimumVersion
    }
  }

  public func copy(with zone: NSZone? = nil) -> Any {
    ActionCodeSettings(values.withLockedValue { $0 })
  }
}

extension ActionCodeSettings {
  /// The members of a request for a code; servers refuse names that they do not know.
  var members: [String: JSONValue] {
    let values = values.withLockedValue { $0 }
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
