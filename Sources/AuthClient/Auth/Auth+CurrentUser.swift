public import Foundation
import NIOConcurrencyHelpers

extension NSNotification.Name {
  /// The name of ``Auth/authStateDidChangeNotification``, as it is called in Swift's own style.
  public static var AuthStateDidChange: NSNotification.Name { .authStateDidChange }

  static let authStateDidChange = NSNotification.Name("FIRAuthStateDidChangeNotification")
}

extension Auth {
  /// Posted on the main thread after the current user's token changed; the object is the ``Auth``.
  public static var authStateDidChangeNotification: NSNotification.Name { .authStateDidChange }

  /// Takes over what was stored when the program ran before.
  func restore() {
    storing.withLock {
      do {
        guard let user = try stored(in: state.withLockedValue(\.storage)) else { return }
        state.withLockedValue { state in
          state.tenantID = user.tenantID
          put(user, &state)
        }
      } catch {
        state.withLockedValue { $0.storedSessionError = error }
      }
    }
  }

  /// Makes somebody the current user, or nobody, and stores it first.
  ///
  /// Throws `keychainError` where it cannot be stored; then nothing changed.
  func become(_ user: User?) throws {
    try storing.withLock { try storeAndPut(user) }
  }

  /// Makes somebody the current user, where one of these is that now.
  func become(_ user: User, inPlaceOf uids: Set<String>) throws {
    try storing.withLock {
      guard let current = currentUser, uids.contains(current.uid) else { return }
      try storeAndPut(user)
    }
  }

  /// Stores what changed of a user, and tells of a new token, where that is still the current one.
  func changed(_ user: User) throws {
    try storing.withLock {
      guard currentUser === user else { return }
      try Self.store(user, in: state.withLockedValue(\.storage))
      state.withLockedValue { _ in tell(of: user) }
    }
  }

  /// Ends a user's session here, where that is still the current one, even if it cannot be stored.
  func end(_ user: User) {
    storing.withLock {
      guard currentUser === user else { return }
      try? state.withLockedValue(\.storage).remove()
      state.withLockedValue { put(nil, &$0) }
    }
  }

  /// Keeps users elsewhere from now on: whoever is stored there is the current one.
  ///
  /// Throws `keychainError` where that cannot be read; then nothing changed.
  func move(to storage: any SessionStorage, accessGroup: String?) throws {
    try storing.withLock {
      let user = try stored(in: storage)
      state.withLockedValue { state in
        state.storage = storage
        state.accessGroup = accessGroup
        if let user { state.tenantID = user.tenantID }
        put(user, &state)
      }
    }
  }

  /// The user of a storage.
  func stored(in storage: any SessionStorage) throws -> User? {
    do {
      return try storage.load().map { User(try StoredUser(encoded: $0), auth: self) }
    } catch {
      throw NSError.auth(
        .keychainError, message: "The stored session could not be read: \(error)",
        underlying: error)
    }
  }

  /// Lets go of the stored session, which belongs to another ``Auth`` from now on.
  func retire() {
    storing.withLock {
      state.withLockedValue { state in
        state.storage = MemorySessionStorage()
        state.autoRefresh?.stop()
        state.autoRefresh = nil
      }
    }
  }

  /// Both under the lock of what is stored, which is held while a disk is waited for; reading who is signed in
  /// takes the other one.
  private func storeAndPut(_ user: User?) throws {
    try Self.store(user, in: state.withLockedValue(\.storage))
    state.withLockedValue { put(user, &$0) }
  }

  private func put(_ user: User?, _ state: inout State) {
    state.currentUser = user
    tell(of: user)
    user == nil ? state.autoRefresh?.stop() : state.autoRefresh?.start()
  }

  /// Tells whoever listens who is signed in, with which token; called under the lock, to keep the order.
  private func tell(of user: User?) {
    listeners.changed(to: user, uid: user?.uid, token: user?.rawToken) { [weak self] in
      guard let self else { return }
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
