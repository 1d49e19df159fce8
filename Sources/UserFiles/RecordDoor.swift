public import AuthCore

/// Converts between the password columns of a record and stored secrets.
///
/// The hashing belongs to a provider.
public struct PasswordColumns: Sendable {
  /// A password hash in the form that a record has.
  public struct Columns: Hashable, Sendable {
    /// The hash, in base64.
    public var hash: String
    /// The salt, in base64.
    public var salt: String?
    /// The hash's parameters under the names of `--hash-parameters`; nil if the hash states them or they are unknown.
    public var parameters: JSONValue?

    /// Makes the columns of one hash.
    public init(hash: String, salt: String? = nil, parameters: JSONValue? = nil) {
      self.hash = hash
      self.salt = salt
      self.parameters = parameters
    }
  }

  /// Makes the stored form; throws if the hash could not be verified later.
  public let stored: @Sendable (Columns) throws(RecordFault) -> String
  /// Splits the stored form into columns.
  public let columns: @Sendable (_ stored: String) -> Columns

  /// Makes a conversion from its two directions.
  public init(
    stored: @escaping @Sendable (Columns) throws(RecordFault) -> String,
    columns: @escaping @Sendable (_ stored: String) -> Columns
  ) {
    self.stored = stored
    self.columns = columns
  }
}

/// The context in which records are imported or exported: everything outside a record that decides with it.
///
/// The same rules apply to files and requests.
public struct RecordDoor: Sendable {
  /// The project or tenant of the accounts.
  public let scope: Scope
  /// The conversion of password hashes.
  public let passwords: PasswordColumns
  /// The providers that are set up, in addition to the well-known ones; nil if any provider may be named.
  public let registered: [ProviderID]?
  /// Reads the subject in a provider's `federatedId`; nil if it cannot be read.
  public var subject: @Sendable (_ federatedID: String, _ provider: ProviderID) -> String? = {
    FederatedID.subject($0, of: $1.rawValue)
  }
  /// Allows records of a tenant to become accounts of the project itself, as those of a file may.
  public let takesRecordsOfTenants: Bool
  /// The time of the import or export.
  public let now: Timestamp
  /// Seals or opens the secret of an authenticator app; nil if such secrets are neither imported nor exported.
  public var totp: TOTPSecrets?

  /// Converts secrets of authenticator apps, which are sealed in the store and plain in a file.
  public struct TOTPSecrets: Sendable {
    let seal: @Sendable (_ secret: String, _ factorID: String) throws -> StoredSecret
    let open: @Sendable (SecondFactor) -> String?

    /// Makes a conversion; `open` returns nil for a secret that cannot be opened.
    public init(
      seal: @escaping @Sendable (_ secret: String, _ factorID: String) throws -> StoredSecret,
      open: @escaping @Sendable (SecondFactor) -> String?
    ) {
      self.seal = seal
      self.open = open
    }
  }

  /// Makes a context.
  ///
  /// By default records of tenants are refused, and secrets of authenticator apps are left out.
  public init(
    scope: Scope, passwords: PasswordColumns, registered: [ProviderID]?,
    takesRecordsOfTenants: Bool = false, at now: Timestamp, totp: TOTPSecrets? = nil
  ) {
    self.scope = scope
    self.passwords = passwords
    self.registered = registered
    self.takesRecordsOfTenants = takesRecordsOfTenants
    self.now = now
    self.totp = totp
  }
}
