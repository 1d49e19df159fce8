#if canImport(ObjectiveC)
  public import Foundation

  /// Listeners and tokens by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension Auth {
    @objc(addAuthStateDidChangeListener:)
    public func objectiveCAddStateDidChangeListener(
      _ listener: @escaping (Auth, User?) -> Void
    ) -> any NSObjectProtocol {
      addStateDidChangeListener(listener)
    }

    @objc(removeAuthStateDidChangeListener:)
    public func objectiveCRemoveStateDidChangeListener(_ handle: any NSObjectProtocol) {
      removeStateDidChangeListener(handle)
    }

    @objc(addIDTokenDidChangeListener:)
    public func objectiveCAddIDTokenDidChangeListener(
      _ listener: @escaping (Auth, User?) -> Void
    ) -> any NSObjectProtocol {
      addIDTokenDidChangeListener(listener)
    }

    @objc(removeIDTokenDidChangeListener:)
    public func objectiveCRemoveIDTokenDidChangeListener(_ handle: any NSObjectProtocol) {
      removeIDTokenDidChangeListener(handle)
    }

    @objc(getUserID)
    public func objectiveCGetUserID() -> String? {
      getUserID()
    }

    @objc(getTokenWithForcingRefresh:completion:)
    public func objectiveCGetToken(
      forcingRefresh: Bool, completion: @escaping (String?, (any Error)?) -> Void
    ) {
      getToken(forcingRefresh: forcingRefresh, completion: completion)
    }
  }
#endif
