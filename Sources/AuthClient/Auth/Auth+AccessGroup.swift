import Foundation

extension Auth {
  /// The group of apps that share the signed-in user; nil for this app alone.
  public var userAccessGroup: String? { state.withLock(\.accessGroup) }

  /// True if the person's other devices get the user of an access group too.
  public var shareAuthStateAcrossDevices: Bool {
    get { state.withLock(\.sharesState) }
    set { state.withLock { $0.sharesState = newValue } }
  }

  /// Shares the signed-in user with the apps of a Keychain access group, or with none if it is nil.
  ///
  /// The user stored in the group becomes the current one; with nil, the user of this ``Auth``'s own storage. Throws
  /// `keychainError` if the Keychain refuses, and for any group on platforms without a Keychain, such as Linux.
  public func useUserAccessGroup(_ accessGroup: String?) throws {
    try move(to: try storage(ofGroup: accessGroup), accessGroup: accessGroup)
  }

  /// Returns the user shared by the apps of a Keychain access group; throws like ``useUserAccessGroup(_:)``.
  public func getStoredUser(forAccessGroup accessGroup: String?) throws -> User? {
    try stored(in: try storage(ofGroup: accessGroup))
  }

  private func storage(ofGroup group: String?) throws -> any SessionStorage {
    guard let group else { return ownStorage }
    #if canImport(Security)
      return KeychainSessionStorage(
        service: apiKey, account: "authgraph_auth_user", accessGroup: group,
        isSynchronizable: shareAuthStateAcrossDevices)
    #else
      throw NSError.auth(
        .keychainError, message: "There is no Keychain here, so no access group \(group).")
    #endif
  }
}
