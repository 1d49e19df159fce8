#if canImport(Security)
  public import Foundation
  import Security

  /// Keeps a user as a generic password of the keychain.
  ///
  /// The item can be read after the first unlock since a restart, and stays on this device unless it is
  /// synchronizable.
  public struct KeychainSessionStorage: SessionStorage {
    public let service: String
    public let account: String
    /// The group of apps that share the item, or nil for this app alone.
    public let accessGroup: String?
    /// Whether the user's other devices get the item too.
    public let isSynchronizable: Bool

    public init(
      service: String, account: String, accessGroup: String? = nil, isSynchronizable: Bool = false
    ) {
      self.service = service
      self.account = account
      self.accessGroup = accessGroup
      self.isSynchronizable = isSynchronizable
    }

    /// Names the item of an app.
    ///
    /// It is not that of Firebase's SDK, which keeps its users in another form: both go on side by side.
    public init(app: String, googleAppID: String) {
      self.init(
        service: "authgraph_auth_\(googleAppID)", account: "authgraph_auth_1_\(app)_user")
    }

    public func load() throws -> Data? {
      var query = self.query
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var result: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &result)
      if status == errSecItemNotFound { return nil }
      guard status == errSecSuccess else { throw failure("cannot be read", status) }
      guard let data = result as? Data else { throw failure("has no data", errSecDecode) }
      return data
    }

    public func save(_ data: Data) throws {
      let values: [String: Any] = [
        kSecValueData as String: data, kSecAttrAccessible as String: accessibility,
      ]
      var status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
      if status == errSecItemNotFound {
        let item = query.merging(values) { _, new in new }
        status = SecItemAdd(item as CFDictionary, nil)
      }
      guard status == errSecSuccess else { throw failure("cannot be written", status) }
    }

    public func remove() throws {
      let status = SecItemDelete(query as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else {
        throw failure("cannot be removed", status)
      }
    }

    private var query: [String: Any] {
      var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        // The older keychain of macOS knows neither access groups nor accessibility.
        kSecUseDataProtectionKeychain as String: true,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecAttrSynchronizable as String: isSynchronizable,
      ]
      if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
      return query
    }

    /// What may not leave the device cannot be synchronizable.
    private var accessibility: CFString {
      isSynchronizable
        ? kSecAttrAccessibleAfterFirstUnlock : kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
    }

    private func failure(_ what: String, _ status: OSStatus) -> SessionStorageError {
      let reason = SecCopyErrorMessageString(status, nil) as String? ?? "unknown error"
      return SessionStorageError(
        place: "The keychain item \(account) of \(service)",
        message: "\(what): \(reason) (OSStatus \(status)).",
        remedy: "Check the app's keychain entitlements, and that the device was unlocked.",
        status: status)
    }
  }
#endif
