import Foundation

extension NSNotification.Name {
  static let authStateDidChange = NSNotification.Name("FIRAuthStateDidChangeNotification")
}

extension Auth {
  /// Posted on the main thread after the current user's token changed; the object is the ``Auth``.
  public static var authStateDidChangeNotification: NSNotification.Name { .authStateDidChange }

  /// Takes over what was stored when the program ran before.
  func restore() {
    state.withLock { state in
      // A session that cannot be read is not there: whoever it was signs in again.
      guard let data = try? state.storage.load(), let stored = try? StoredUser(data: data) else {
        return
      }
      state.currentUser = User(stored, auth: self)
      state.tenantID = stored.tenantID
    }
    announce()
  }

  /// Makes somebody the current user, or nobody, and stores it first.
  ///
  /// Throws `keychainError` where it cannot be stored; then nothing changed.
  func become(_ user: User?) throws {
    try state.withLock { state in
      try Self.store(user, in: state.storage)
      state.currentUser = user
      listeners.changed(to: user, uid: user?.uid, token: user?.rawToken)
    }
    scheduleRefresh()
  }

  /// Stores what changed of a user, and tells of a new token, where that is still the current one.
  func changed(_ user: User) throws {
    try state.withLock { state in
      guard state.currentUser === user else { return }
      try Self.store(user, in: state.storage)
      listeners.changed(to: user, uid: user.uid, token: user.rawToken)
    }
    scheduleRefresh()
  }

  /// Ends a user's session here, where that is still the current one, even if it cannot be stored.
  func end(_ user: User) {
    state.withLock { state in
      guard state.currentUser === user else { return }
      try? state.storage.remove()
      state.currentUser = nil
      listeners.changed(to: nil, uid: nil, token: nil)
    }
  }

  func announce() {
    state.withLock { state in
      let user = state.currentUser
      listeners.changed(to: user, uid: user?.uid, token: user?.rawToken)
    }
  }

  private static func store(_ user: User?, in storage: any SessionStorage) throws {
    do {
      if let user {
        try storage.save(try user.stored.encoded())
      } else {
        try storage.remove()
      }
    } catch {
      throw NSError.auth(
        .keychainError, message: "The session could not be stored: \(error)", underlying: error)
    }
  }
}
