import AuthCore
import BuiltInProviders
import IdentityToolkit
import UserFiles

/// Decisions on uploads of accounts.
protocol UploadBehavior: Sendable {
  /// True if an upload replaces existing accounts by default.
  var overwritesAccounts: Bool { get }
  /// True if an upload's answer has a list of errors even if it is empty.
  var listsNoErrors: Bool { get }
  /// True if an address that another account has is refused by default.
  var refusesSharedEmails: Bool { get }
  /// Reads the hash parameters of an upload.
  func hashes(of body: WireFields) throws(WireError) -> UploadedHashes
  /// Hashes a password that came in the clear.
  func hash(of password: String, _ providers: ProviderRegistry) async throws -> String?
  /// Returns the rules by which the records of an upload are read.
  func door(_ hashes: UploadedHashes, _ call: Call) -> RecordDoor
  /// Returns a record in the form in which it is kept: without the fields that are ignored.
  func read(_ record: UserRecord) -> UserRecord
  /// Returns the reason that a faulty record is left out.
  func refusal(_ fault: RecordFault) -> UploadFault
  /// Returns the reason that a record is left out if another account has its address.
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

  /// Spells the address as at a sign-up.
  ///
  /// A text that is no address stays, so that it is reported.
  func read(_ record: UserRecord) -> UserRecord {
    var record = record
    record.email = record.email.map { (try? EmailAddress($0))?.canonical ?? $0 }
    return record
  }

  func refusal(_ fault: RecordFault) -> UploadFault { UploadFault(fault) }

  func refusal(ofSharedEmail email: EmailAddress?, asked: Bool) -> UploadFault {
    UploadFault("email exists in other account in database")
  }
}
