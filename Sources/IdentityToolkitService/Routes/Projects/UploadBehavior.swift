import AuthCore
import BuiltInProviders
import IdentityToolkit
import UserFiles

/// Uploads of accounts.
protocol UploadBehavior: Sendable {
  /// Whether an upload replaces accounts that are there, if it does not say so.
  var overwritesAccounts: Bool { get }
  /// Whether an upload's answer lists errors though there are none.
  var listsNoErrors: Bool { get }
  /// Whether an address that an account has is refused, if the upload does not ask for it.
  var refusesSharedEmails: Bool { get }
  /// Reads how the passwords of an upload were hashed.
  func hashes(of body: WireFields) throws(WireError) -> UploadedHashes
  /// Hashes a password that comes as it is.
  func hash(of password: String, _ providers: ProviderRegistry) async throws -> String?
  /// The door by which the records of an upload come.
  func door(_ hashes: UploadedHashes, _ call: Call) -> RecordDoor
  /// Returns a record without the fields that accounts are not made of.
  func read(_ record: UserRecord) -> UserRecord
  /// Returns why a record is left out.
  func refusal(_ fault: RecordFault) -> UploadFault
  /// Returns why a record is left out whose address an account has.
  func refusal(ofSharedEmail email: EmailAddress?, asked: Bool) -> UploadFault
}

extension UploadBehavior {
  var overwritesAccounts: Bool { true }
  var listsNoErrors: Bool { false }
  var refusesSharedEmails: Bool { false }

  func hashes(of body: WireFields) throws(WireError) -> UploadedHashes { try UploadedHashes(body) }

  func hash(of password: String, _ providers: ProviderRegistry) async throws -> String? {
    try await (providers[.password] as? PasswordProvider)?.recordHash(of: password)
  }

  func door(_ hashes: UploadedHashes, _ call: Call) -> RecordDoor {
    RecordDoor(
      scope: call.scope, passwords: hashes.columns, registered: call.graph.providers.ids,
      at: call.services.clock())
  }

  func read(_ record: UserRecord) -> UserRecord { record }
  func refusal(_ fault: RecordFault) -> UploadFault { UploadFault(fault) }

  func refusal(ofSharedEmail email: EmailAddress?, asked: Bool) -> UploadFault {
    UploadFault("email exists in other account in database")
  }
}
