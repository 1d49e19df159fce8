#if canImport(Security)
  public import Foundation
  import Security

  /// A storage in a generic password of the Keychain.
  ///
  /// The item can be read after the first unlock since a restart. It stays on this device unless it is
  /// synchronizable.
  public struct KeychainSessionStorage: SessionStorage {
    /// The service of the item.
    public let service: String
    /// The account of the item.
    public let account: String
    /// The group of apps that share the item; nil for this app alone.
    public let accessGroup: String?
    /// True if the user's other devices get the item too.
    public let isSynchronizable: Bool

    /// Makes a storage in an item, which need not exist.
    public init(
      service: String, account: String, accessGroup: String? = nil, isSynchronizable: Bool = false
    ) {
      self.service = service
      self.account = account
      self.accessGroup = accessGroup
      self.isSynchronizable = isSynchronizable
    }

    /// Makes the storage of an app.
    ///
    /// The item differs from that of Firebase's SDK, which has another format. Both can coexist.
    public init(app: String, googleAppID: String) {
      self.init(
        service: "authgraph_auth_\(googleAppID)", account: "authgraph_auth_1_\(app)_user")
    }

    /// Reads the item; nil if there is none.
    ///
    /// Throws ``SessionStorageError``.
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

    /// Replaces the item; throws ``SessionStorageError``.
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

    /// Removes the item; throws ``SessionStorageError``.
    public func remove() throws {
      let status = SecItemDelete(query as CFDictionary)
      guard status == errSecSuccess || status == errSecItemNotFound else {
        throw failure("cannot be removed", status)
      }
    }

    private var query: [String: Any] {
      var query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword,
        // The older keychain of macOS has neither access groups nor accessibility.
        kSecUseDataProtectionKeychain as String: true,
        kSecAttrService as String: service,
        kSecAttrAccount as String: account,
        kSecAttrSynchronizable as String: isSynchronizable,
      ]
      if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
      return query
    }

    /// The accessibility of the item.
    ///
    /// An item that stays on this device cannot be synchronizable.
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
