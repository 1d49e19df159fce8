public import Foundation

/// The settings of an app's sign-ins.
#if canImport(ObjectiveC)
  @objc(FIRAuthSettings)
#endif
public final class AuthSettings: NSObject, NSCopying, Sendable {
  private let isDisabled = Locked(false)

  /// True if phone sign-in works without a proof of the app, for tests.
  ///
  /// There is no such proof on Linux, so the setting has no effect there.
  public var isAppVerificationDisabledForTesting: Bool {
    get { isDisabled.withLock(\.self) }
    set { isDisabled.withLock { $0 = newValue } }
  }

  /// The older name of ``isAppVerificationDisabledForTesting``.
  public var appVerificationDisabledForTesting: Bool {
    get { isAppVerificationDisabledForTesting }
    set { isAppVerificationDisabledForTesting = newValue }
  }

  var duplicate: AuthSettings {
    let settings = AuthSettings()
    settings.isAppVerificationDisabledForTesting = isAppVerificationDisabledForTesting
    return settings
  }

  /// Returns independent settings with the same values.
  public func copy(with zone: NSZone? = nil) -> Any { duplicate }
}
