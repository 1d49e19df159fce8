public import Foundation

extension NSNotification.Name {
  /// The name of ``authStateDidChangeNotification`` in Firebase's Swift API.
  public static var AuthStateDidChange: NSNotification.Name { .authStateDidChange }

  static let authStateDidChange = NSNotification.Name("FIRAuthStateDidChangeNotification")
}

extension Auth {
  /// The notification posted on the main thread after the current user's token changed.
  ///
  /// Its object is the ``Auth``.
  public static var authStateDidChangeNotification: NSNotification.Name { .authStateDidChange }

  /// Restores the session stored by an earlier run.
  func restore() {
    storing.withLock {
      do {
        guard let user = try stored(in: state.withLock(\.storage)) else { return }
        state.withLock { state in
          state.tenantID = user.tenantID
          put(user, &state)
        }
      } catch {
        state.withLock { $0.storedSessionError = error }
      }
    }
  }

  /// Stores a user, or none, and makes it the current one.
  ///
  /// Throws `keychainError` and changes nothing if the storage fails.
  func become(_ user: User?) throws {
    try storing.withLock { try storeAndPut(user) }
  }

  /// Makes a user the current one if the current uid is among these.
  func become(_ user: User, inPlaceOf uids: Set<String>) throws {
    try storing.withLock {
      guard let current = currentUser, uids.contains(current.uid) else { return }
      try storeAndPut(user)
    }
  }

  /// Stores a user's changes and announces a new token, if the user is still the current one.
  func changed(_ user: User) throws {
    try storing.withLock {
      guard currentUser === user else { return }
      try Self.store(user, in: state.withLock(\.storage))
      state.withLock { _ in tell(of: user) }
    }
  }

  /// Signs a user out if it is still the current one, even if the storage fails.
  func end(_ user: User) {
    storing.withLock {
      guard currentUser === user else { return }
      try? state.withLock(\.storage).remove()
      state.withLock { put(nil, &$0) }
    }
  }

  /// Switches to another storage, whose user becomes the current one.
  ///
  /// Throws `keychainError` and changes nothing if the storage cannot be read.
  func move(to storage: any SessionStorage, accessGroup: String?) throws {
    try storing.withLock {
      let user = try stored(in: storage)
      state.withLock { state in
        state.storage = storage
        state.accessGroup = accessGroup
        if let user { state.tenantID = user.tenantID }
        put(user, &state)
      }
    }
  }

  /// Returns the user of a storage.
  func stored(in storage: any SessionStorage) throws -> User? {
    do {
      return try storage.load().map { User(try StoredUser(encoded: $0), auth: self) }
    } catch {
      throw NSError.auth(
        .keychainError, message: "The stored session could not be read: \(error)",
        underlying: error)
    }
  }

  /// Detaches the stored session, which belongs to another ``Auth`` from now on.
  func retire() {
    storing.withLock {
      state.withLock { state in
        state.storage = MemorySessionStorage()
        state.autoRefresh?.stop()
        state.autoRefresh = nil
      }
    }
  }

  /// Stores a user and makes it the current one.
  ///
  /// The caller holds the storing lock while the disk is written. Reads of the current user take the other lock.
  private func storeAndPut(_ user: User?) throws {
    try Self.store(user, in: state.withLock(\.storage))
    state.withLock { put(user, &$0) }
  }

  private func put(_ user: User?, _ state: inout State) {
    state.currentUser = user
    tell(of: user)
    user == nil ? state.autoRefresh?.stop() : state.autoRefresh?.start()
  }

  /// Announces the current user and token to listeners.
  ///
  /// Called under the lock, to keep the order.
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
