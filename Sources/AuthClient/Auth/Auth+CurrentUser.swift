public import Foundation
import NIOConcurrencyHelpers

extension NSNotification.Name {
  static let authStateDidChange = NSNotification.Name("FIRAuthStateDidChangeNotification")
}

extension Auth {
  /// Posted on the main thread after the current user's token changed; the object is the ``Auth``.
  public static var authStateDidChangeNotification: NSNotification.Name { .authStateDidChange }

  /// Takes over what was stored when the program ran before.
  func restore() {
    state.withLockedValue { state in
      // A session that cannot be read is not there: whoever it was signs in again.
      guard let data = try? state.storage.load(), let stored = try? StoredUser(encoded: data) else {
        return
      }
      let user = User(stored, auth: self)
      state.currentUser = user
      state.tenantID = stored.tenantID
      tell(of: user)
    }
  }

  /// Makes somebody the current user, or nobody, and stores it first.
  ///
  /// Throws `keychainError` where it cannot be stored; then nothing changed.
  func become(_ user: User?) throws {
    try state.withLockedValue { state in
      try Self.store(user, in: state.storage)
      state.currentUser = user
      tell(of: user)
      user == nil ? state.autoRefresh?.stop() : state.autoRefresh?.start()
    }
  }

  /// Stores what changed of a user, and tells of a new token, where that is still the current one.
  func changed(_ user: User) throws {
    try state.withLockedValue { state in
      guard state.currentUser === user else { return }
      try Self.store(user, in: state.storage)
      tell(of: user)
    }
  }

  /// Ends a user's session here, where that is still the current one, even if it cannot be stored.
  func end(_ user: User) {
    state.withLockedValue { state in
      guard state.currentUser === user else { return }
      try? state.storage.remove()
      state.currentUser = nil
      tell(of: nil)
      state.autoRefresh?.stop()
    }
  }

  /// Tells whoever listens who is signed in, with which token; called under the lock, to keep the order.
  private func tell(of user: User?) {
    listeners.changed(to: user, uid: user?.uid, token: user?.rawToken) { [weak self] in
      NotificationCenter.default.post(name: .authStateDidChange, object: self)
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
