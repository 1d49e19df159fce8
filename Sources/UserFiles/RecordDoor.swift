public import AuthCore

/// How the password columns of a record relate to stored secrets; the hashing is a provider's matter.
public struct PasswordColumns: Sendable {
  /// A hash as a record has it.
  public struct Columns: Hashable, Sendable {
    /// The hash, in base64.
    public var hash: String
    /// The salt, in base64.
    public var salt: String?
    /// How it was made, under the names of `--hash-parameters`; nil where it describes itself or nothing is known.
    public var parameters: JSONValue?

    public init(hash: String, salt: String? = nil, parameters: JSONValue? = nil) {
      self.hash = hash
      self.salt = salt
      self.parameters = parameters
    }
  }

  /// Makes the stored form; throws where it cannot be verified later.
  public let stored: @Sendable (Columns) throws(RecordFault) -> String
  /// Takes the stored form apart.
  public let columns: @Sendable (_ stored: String) -> Columns

  public init(
    stored: @escaping @Sendable (Columns) throws(RecordFault) -> String,
    columns: @escaping @Sendable (_ stored: String) -> Columns
  ) {
    self.stored = stored
    self.columns = columns
  }
}

/// The door by which records come or go: what stands outside of a record and decides with it.
///
/// The rules are the same at every door.
public struct RecordDoor: Sendable {
  public let scope: Scope
  public let passwords: PasswordColumns
  /// The providers that are set up, beside those that everybody knows; nil where any may be named.
  public let registered: [ProviderID]?
  /// Reads the subject in a `federatedId` of a provider; nil for one that cannot be read.
  public var subject: @Sendable (_ federatedID: String, _ provider: ProviderID) -> String? = {
    FederatedID.subject($0, of: $1.rawValue)
  }
  /// Whether the records of a tenant may become accounts of the project itself, as those of a file may.
  public let takesRecordsOfTenants: Bool
  public let now: Timestamp
  /// Seals or opens the secret of an authenticator app for a factor; nil where secrets do not pass.
  public var totp: TOTPSecrets?

  /// The way of authenticator apps' secrets, which are sealed in the store and plain in a file.
  public struct TOTPSecrets: Sendable {
    let seal: @Sendable (_ secret: String, _ factorID: String) throws -> StoredSecret
    let open: @Sendable (SecondFactor) -> String?

    public init(
      seal: @escaping @Sendable (_ secret: String, _ factorID: String) throws -> StoredSecret,
      open: @escaping @Sendable (SecondFactor) -> String?
    ) {
      self.seal = seal
      self.open = open
    }
  }

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
