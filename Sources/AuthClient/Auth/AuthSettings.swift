public import Foundation
import NIOConcurrencyHelpers

/// What an app may set about its sign-ins.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRAuthSettings)
#endif
public final class AuthSettings: NSObject, NSCopying, Sendable {
  private let isDisabled = NIOLockedValueBox(false)

  /// Whether phone sign-in goes out without proof that the app asks.
  ///
  /// On Linux there is no such proof, so this changes nothing there.
  public var isAppVerificationDisabledForTesting: Bool {
    get { isDisabled.withLockedValue(\.self) }
    set { isDisabled.withLockedValue { $0 = newValue } }
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

  public func copy(with zone: NSZone? = nil) -> Any { duplicate }
}
