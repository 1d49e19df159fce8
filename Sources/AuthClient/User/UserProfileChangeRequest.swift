import AuthValues
public import Foundation

/// A pending change of an account's name and picture.
///
/// Properties that are not set stay; a property set to nil is removed.
#if canImport(ObjectiveC)
  @objc(FIRUserProfileChangeRequest)
#endif
public final class UserProfileChangeRequest: NSObject, Sendable {
  private let user: User
  private let changes: Locked<Changes>

  private struct Changes {
    var displayName: String??
    var photoURL: URL??
    var isCommitted = false
  }

  init(user: User) {
    self.user = user
    changes = Locked(Changes())
  }

  /// The new display name.
  public var displayName: String? {
    get { changes.withLock { $0.displayName ?? user.displayName } }
    set { changes.withLock { $0.displayName = .some(newValue) } }
  }

  /// The URL of the new picture.
  public var photoURL: URL? {
    get { changes.withLock { $0.photoURL ?? user.photoURL } }
    set { changes.withLock { $0.photoURL = .some(newValue) } }
  }

  /// Makes the change.
  ///
  /// Traps if it was committed already.
  public func commitChanges() async throws {
    let (name, picture) = changes.withLock { changes in
      precondition(!changes.isCommitted, "A profile change can be committed only once.")
      changes.isCommitted = true
      return (changes.displayName, changes.photoURL)
    }
    var members: [String: JSONValue] = [:]
    var removed: [JSONValue] = []
    if let name {
      if let name { members["displayName"] = .string(name) } else { removed.append("DISPLAY_NAME") }
    }
    if let picture {
      if let picture {
        members["photoUrl"] = .string(picture.absoluteString)
      } else {
        removed.append("PHOTO_URL")
      }
    }
    if !removed.isEmpty { members["deleteAttribute"] = .array(removed) }
    guard !members.isEmpty else { return }
    try await user.change(members)
  }
}

// MARK: - Completions

extension UserProfileChangeRequest {
  /// Runs ``commitChanges()`` and calls back on the main queue.
  public func commitChanges(
    completion: (((any Error)?) -> Void)? = nil
  ) {
    complete(completion) { try await self.commitChanges() }
  }
}
