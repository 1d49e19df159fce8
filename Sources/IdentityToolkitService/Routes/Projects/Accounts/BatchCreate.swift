import AuthCore
import BuiltInProviders
import IdentityToolkit
import UserFiles

/// Upload of accounts (`accounts:batchCreate`, the older `uploadAccount`).
extension AccountBatchHandler {
  func batchCreate() async throws -> Answer {
    let users = try body.objects("users") ?? []
    guard !users.isEmpty else { throw WireError("MISSING_USER_ACCOUNT") }
    let settings = try await settings()
    let upload = Upload(
      users: users, checksSanity: try body.bool("sanityCheck") ?? false,
      overwrites: try body.bool("allowOverwrite") ?? behavior.overwritesAccounts,
      oneAccountPerEmail: settings.oneAccountPerEmail)
    try upload.check()
    let hashes = try behavior.hashes(of: body)
    let errors = try await carryOut(upload, hashes)
    var answer: [String: JSONValue] = ["kind": "identitytoolkit#UploadAccountResponse"]
    if !errors.isEmpty || behavior.listsNoErrors {
      answer["error"] = .array(
        errors.sorted { $0.index < $1.index }.map {
          ["index": .integer(Int64($0.index)), "message": .string($0.message)]
        })
    }
    return .json(.object(answer))
  }

  private func carryOut(
    _ upload: Upload, _ hashes: UploadedHashes
  ) async throws -> [(index: Int, message: String)] {
    var errors: [(index: Int, message: String)] = []
    var records: [ImportedAccount] = []
    let door = behavior.door(hashes, call)
    for (index, fields) in upload.users.enumerated() {
      do {
        var record = behavior.read(try UserRecord(request: .object(fields.members)))
        try await hashPassword(of: &record)
        records.append(ImportedAccount(account: try record.account(at: door), line: index))
      } catch let fault as RecordFault {
        errors.append((index, behavior.refusal(fault).message))
      }
    }
    try await keep(hashes)
    let outcomes = try await graph.importRecords(
      records, overwriting: upload.overwrites,
      refusingSharedEmails: upload.refusesSharedEmails || behavior.refusesSharedEmails, by: caller)
    for (record, outcome) in zip(records, outcomes) {
      guard case .refused(let error) = outcome else { continue }
      errors.append((record.line, message(error, record.account, upload)))
    }
    return errors
  }

  /// Hashes a password that the record has in plain text.
  private func hashPassword(of record: inout UserRecord) async throws {
    guard let password = record.rawPassword, record.passwordHash == nil, record.email != nil else {
      return
    }
    record.passwordHash = try await behavior.hash(of: password, graph.providers)
    record.salt = nil
  }

  /// Returns the message for an account that was left out.
  private func message(_ error: AuthError, _ account: Account, _ upload: Upload) -> String {
    switch error.code {
    case .uidAlreadyExists: "localId belongs to an existing account - can not overwrite."
    case .invalidUID: "localId is invalid"
    case .credentialAlreadyInUse: "raw id exists in other account in database"
    case .phoneNumberAlreadyExists: "phone number exists in other account in database"
    case .emailAlreadyInUse:
      behavior.refusal(ofSharedEmail: account.email, asked: upload.refusesSharedEmails).message
    // The text is too long, or the list has too many entries.
    case .invalidArgument, .invalidDisplayName, .invalidPhotoURL, .claimsTooLarge:
      error.field.map { "\($0): \(error.message)" } ?? error.message
    default: error.message
    }
  }

  /// Stores the parameters of the hashes in the settings, before the first hash is stored.
  private func keep(_ hashes: UploadedHashes) async throws {
    let parameters = hashes.parameters
    guard !parameters.isEmpty else { return }
    var settings = try await settings()
    guard settings.keep(parameters) else { return }
    _ = try await graph.changeSettings(by: caller) { _ = $0.keep(parameters) }
  }
}

/// The request for an upload.
private struct Upload {
  let users: [WireFields]
  let checksSanity: Bool
  let overwrites: Bool
  let oneAccountPerEmail: Bool

  var refusesSharedEmails: Bool { checksSanity && oneAccountPerEmail }

  /// Refuses the whole request if it contradicts itself.
  func check() throws {
    var emails: Set<String> = []
    var subjects: Set<[String]> = []
    var ids: Set<String> = []
    for user in users {
      if refusesSharedEmails, let email = try user.filled("email"),
        !emails.insert(email.lowercased()).inserted
      {
        throw WireError("DUPLICATE_EMAIL", email)
      }
      if checksSanity {
        for entry in try user.objects("providerUserInfo") ?? [] {
          guard let provider = try entry.filled("providerId"),
            let subject = try entry.filled("rawId")
          else { continue }
          if !subjects.insert([provider, subject]).inserted {
            throw WireError("DUPLICATE_RAW_ID", "Provider id(\(provider)), Raw id(\(subject))")
          }
        }
      }
      if !overwrites, let id = try user.filled("localId"), !ids.insert(id).inserted {
        throw WireError("DUPLICATE_LOCAL_ID", id)
      }
    }
  }
}
