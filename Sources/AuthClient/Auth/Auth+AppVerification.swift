public import Foundation

/// The calls by which Firebase's SDK proves to its server that an app is genuine.
///
/// No server asks this client for such a proof. The calls are here so that an app's delegate stays as it is.
extension Auth {
  /// Returns false: no URL is meant for the client.
  public func canHandle(_ url: URL) -> Bool { false }

  /// Returns false: no notification is meant for the client.
  public func canHandleNotification(_ userInfo: [AnyHashable: Any]) -> Bool { false }

  /// The device's token for notifications, kept without use.
  public var apnsToken: Data? {
    get { state.withLock(\.apnsToken) }
    set { state.withLock { $0.apnsToken = newValue } }
  }

  /// Sets ``apnsToken``.
  public func setAPNSToken(_ token: Data, type: AuthAPNSTokenType) {
    apnsToken = token
  }

  /// Returns at once: there is no reCAPTCHA to prepare.
  public func initializeRecaptchaConfig() async throws {}

  /// Calls back on the main queue without an error.
  public func initializeRecaptchaConfig(completion: (((any Error)?) -> Void)?) {
    complete(completion) {}
  }
}

/// The kind of a device's token for notifications.
#if canImport(ObjectiveC)
  @objc(FIRAuthAPNSTokenType)
#endif
public enum AuthAPNSTokenType: Int, Sendable {
  /// The app's profile decides.
  case unknown
  /// A token of the sandbox.
  case sandbox
  /// A token of production.
  case prod
}
