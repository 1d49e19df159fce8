public import Foundation

extension Auth {
  /// Adds a listener, called on the main thread: soon with the current user, then after each change of user.
  ///
  /// Keep the returned handle, and pass it to ``removeStateDidChangeListener(_:)``.
  public func addStateDidChangeListener(
    _ listener: @escaping (Auth, User?) -> Void
  ) -> any NSObjectProtocol {
    listeners.add(.state) { [weak self] user in
      if let self { listener(self, user) }
    }
  }

  /// Removes a listener of ``addStateDidChangeListener(_:)``.
  public func removeStateDidChangeListener(_ handle: any NSObjectProtocol) {
    listeners.remove(handle)
  }

  /// Adds a listener, called on the main thread: soon with the current user, then after each new ID token.
  ///
  /// Keep the returned handle, and pass it to ``removeIDTokenDidChangeListener(_:)``.
  public func addIDTokenDidChangeListener(
    _ listener: @escaping (Auth, User?) -> Void
  ) -> any NSObjectProtocol {
    listeners.add(.token) { [weak self] user in
      if let self { listener(self, user) }
    }
  }

  /// Removes a listener of ``addIDTokenDidChangeListener(_:)``.
  public func removeIDTokenDidChangeListener(_ handle: any NSObjectProtocol) {
    listeners.remove(handle)
  }

  /// The current user, now and after each change of user.
  public var authStateChanges: AuthStateChangesSequence {
    AuthStateChangesSequence(listeners)
  }

  /// The current user, now and after each new ID token.
  public var idTokenChanges: IDTokenChangesSequence {
    IDTokenChangesSequence(listeners)
  }
}
