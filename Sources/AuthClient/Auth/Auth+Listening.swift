public import Foundation

extension Auth {
  /// Calls a listener on the main thread: soon with whoever is signed in, then when somebody else is.
  ///
  /// Keep what is returned, and give it to ``removeStateDidChangeListener(_:)``.
  #if canImport(ObjectiveC)
    @objc(addAuthStateDidChangeListener:)
  #endif
  public func addStateDidChangeListener(
    _ listener: @escaping (Auth, User?) -> Void
  ) -> any NSObjectProtocol {
    listeners.add(.state) { [weak self] user in
      if let self { listener(self, user) }
    }
  }

  #if canImport(ObjectiveC)
    @objc(removeAuthStateDidChangeListener:)
  #endif
  public func removeStateDidChangeListener(_ handle: any NSObjectProtocol) {
    listeners.remove(handle)
  }

  /// Calls a listener on the main thread: soon with whoever is signed in, then for each new ID token.
  ///
  /// Keep what is returned, and give it to ``removeIDTokenDidChangeListener(_:)``.
  public func addIDTokenDidChangeListener(
    _ listener: @escaping (Auth, User?) -> Void
  ) -> any NSObjectProtocol {
    listeners.add(.token) { [weak self] user in
      if let self { listener(self, user) }
    }
  }

  public func removeIDTokenDidChangeListener(_ handle: any NSObjectProtocol) {
    listeners.remove(handle)
  }

  /// Whoever is signed in, now and each time somebody else is.
  public var authStateChanges: AuthStateChangesSequence {
    AuthStateChangesSequence(listeners)
  }

  /// Whoever is signed in, now and for each new ID token.
  public var idTokenChanges: IDTokenChangesSequence {
    IDTokenChangesSequence(listeners)
  }
}
