import AdminConsole
import AuthCore
import BuiltInProviders
import Foundation
import UserFiles
import IdentityToolkitService

/// Imports one file in batches, each a transaction that also records the position, or in bulk in one transaction.
struct AccountImport: Sendable {
  var graph: AccountGraph
  let caller: Caller
  let file: String
  let passwords: PasswordImport
  /// The importer of another system's file; nil for a file of `auth:export`.
  var importer: ImporterChoice?
  /// Marks accounts whose password an old system still has.
  var marksPasswords = false
  /// Imports into a store without accounts, in one commit.
  let isBulk: Bool
  let progress: ProgressBar

  /// The number of records in a commit; larger commits write fewer pages for each record.
  ///
  /// With a shared database, large transactions would have to be repeated more often.
  private var batchSize: Int {
    if caller.dryRun { return .max }
    // With only one commit, smaller batches fit the processor's cache.
    return isBulk || graph.store.unkeyed is any SharedStore ? 1000 : 10_000
  }

  /// The size in bytes that ends a batch with fewer records: most records have less than a thousand bytes.
  private static let maximumBatchBytes = 64 << 20

  /// The number of records in the first batch, which is small so that writing begins soon.
  ///
  /// Each following batch has twice as many, up to the usual size. Reading a record takes half as long as writing it,
  /// so the writer never waits.
  private static let firstBatch = 1000

  /// Imports all valid records.
  ///
  /// The report also has the error that stopped the import early, if any.
  func perform() async throws -> ImportReport {
    defer { progress.finish() }
    var report = ImportReport()
    do {
      let store = graph.store.unkeyed as? any BulkStore
      if isBulk {
        guard let store else {
          throw AuthError(
            .operationNotAllowed, "Only a SQLite store can be filled in bulk.",
            remedy: "Import without --bulk.")
        }
        try await store.filling { filled in
          var filling = self
          filling.graph = graph.on(graph.store.replaced(by: filled))
          try await filling.importFile(&report)
        }
      } else {
        try await importFile(&report)
      }
      if report.imported > 0 && !caller.dryRun {
        report.similarEmails = try await similarEmails()
      }
    } catch let error as AuthError {
      if isBulk { report.forgetImported() }
      report.failure = error
    }
    report.problems.sort { $0.line < $1.line }
    return report
  }

  /// Counts the groups that share an address in all but case and accents, apart from those that share all of it.
  private func similarEmails() async throws -> Int {
    let similar = try await graph.duplicates(by: .similarEmail, limit: .max - 1, in: caller.scope)
    let equal = try await graph.duplicates(by: .email, limit: .max - 1, in: caller.scope)
    return Set(similar.map(\.accounts)).subtracting(equal.map(\.accounts)).count
  }

  private func importFile(_ report: inout ImportReport) async throws {
    var reader: any UserSource =
      if let importer { try importer.reader(file) } else { try UserFileReader(path: file) }
    // An import creates a missing tenant.
    if !caller.dryRun { try await graph.openTenant(caller.scope, by: caller) }
    let checkpoint = checkpointName()
    // A position from an earlier run does not apply to a store without accounts.
    report.skipped = isBulk ? 0 : try await place(checkpoint)
    var place = Place(skipped: report.skipped, door: door(at: .now()))
    // A dry run has one batch.
    var size = caller.dryRun ? batchSize : Self.firstBatch
    var next: Batch? = await readBatch(&reader, &place, of: size)
    var committed: ContinuousClock.Instant?
    var kept: [String: PasswordHashParameters] = [:]
    while let batch = next {
      if kept != passwords.parameters { kept = try await keepParameters() }
      // By now the previous batch is freed, which takes as long as the pause.
      if let committed { try await letOthersWrite(since: committed) }
      report.problems += batch.problems
      report.skippedFields.merge(batch.skippedFields, uniquingKeysWith: +)
      // A later run examines refused records again, so the position stays before them. The graph does the same for the
      // records that it refuses.
      let isClean = report.refused == 0
      let reached = checkpoint.flatMap { name in
        isClean || batch.isLast
          ? (name: name, value: isBulk ? nil : batch.end.map(String.init)) : nil
      }
      async let outcomes = graph.importAccounts(batch.accounts, checkpoint: reached, by: caller)
      // The next batch is read while this one is written.
      size = size < batchSize / 2 ? 2 * size : batchSize
      next = batch.isLast ? nil : await readBatch(&reader, &place, of: size)
      let results = try await outcomes
      committed = .now
      for (outcome, record) in zip(results, batch.accounts.records) {
        report.note(outcome, record)
      }
      if let failure = batch.failure { throw failure }
      if next != nil { progress.update(batch.endOffset) }
    }
    report.skippedFields.merge(reader.leftOut, uniquingKeysWith: +)
    let repeating = place.repeating
    guard !repeating.isEmpty else { return }
    for (outcome, record) in zip(
      try await graph.importAccounts(repeating, by: caller), repeating)
    {
      report.note(outcome, record)
    }
  }

  /// The pause between two commits: three times as long as another process with a SQLite store sleeps before it tries
  /// again, the `laterMilliseconds` of `OtherWriters`.
  private static let pause = Duration.milliseconds(9)

  /// Leaves the store unlocked for a while.
  ///
  /// Without pauses, another process would rarely find it free.
  private func letOthersWrite(since committed: ContinuousClock.Instant) async throws {
    guard !isBulk, !(graph.store.unkeyed is any SharedStore) else { return }
    try await Task.sleep(until: committed + Self.pause, clock: .continuous)
  }

  /// The position in a file.
  private struct Place {
    let skipped: Int
    let door: RecordDoor
    var count = 0
    /// In a bulk import, the keys of the records read so far, and the records that repeat one of them.
    ///
    /// The search for their owners needs the indexes, which are made last, so these records come after all others.
    var keys = ReadKeys()
    var repeating: [ImportedAccount] = []
  }

  /// Records that are stored together.
  private struct Batch {
    var accounts = ImportBatch([])
    var problems: [ImportReport.Problem] = []
    /// The number of occurrences of each ignored field.
    var skippedFields: [String: Int] = [:]
    /// The number of the file's records up to the batch's end; nil for the last batch.
    var end: Int?
    var endOffset = 0
    /// The error at which the file breaks off; records before it are kept.
    var failure: AuthError?

    var isLast: Bool { end == nil }
  }

  private func readBatch(
    _ reader: inout any UserSource, _ place: inout Place, of size: Int
  ) async -> Batch {
    var batch = Batch()
    var records: [ImportedAccount] = []
    var bytes = 0
    do throws(AuthError) {
      while let slice = try reader.next() {
        place.count += 1
        guard place.count > place.skipped else { continue }
        try await read(slice, into: &records, &batch, &place)
        bytes += slice.json.count
        if records.count >= size || (bytes >= Self.maximumBatchBytes && !caller.dryRun) {
          batch.end = place.count
          batch.endOffset = slice.endOffset
          break
        }
      }
    } catch {
      batch.failure = error
    }
    batch.accounts = ImportBatch(records)
    return batch
  }

  private func read(
    _ slice: UserFileReader.Slice, into records: inout [ImportedAccount], _ batch: inout Batch,
    _ place: inout Place
  ) async throws(AuthError) {
    var uid: String?
    do throws(AuthError) {
      var record = try UserRecord(slice)
      uid = TextBounds.uid.cut(record.localId)
      try await hashPassword(of: &record)
      if marksPasswords, record.passwordHash == nil, record.email != nil {
        record.passwordElsewhere = true
      }
      let imported = ImportedAccount(
        account: try account(record, at: place.door), line: slice.line,
        isCreationTimeKnown: record.createdAt != nil)
      for name in record.skipped(at: place.door) { batch.skippedFields[name, default: 0] += 1 }
      if isBulk, place.keys.repeats(imported.account) {
        place.repeating.append(imported)
      } else {
        records.append(imported)
      }
    } catch {
      // The key of the store is at fault, not the record: the import ends here.
      if error.field == "keyFile" { throw error }
      batch.problems.append(
        ImportReport.Problem(
          line: slice.line, uid: uid, code: error.code,
          text: "\(uid.map { "\($0) is " } ?? "")refused: \(error)"))
    }
  }

  private func account(
    _ record: UserRecord, at door: RecordDoor
  ) throws(AuthError) -> Account {
    do throws(RecordFault) { return try record.account(at: door) } catch { throw error.error }
  }

  /// Makes the context in which the records of this file are imported.
  private func door(at now: Timestamp) -> RecordDoor {
    RecordDoor(
      scope: caller.scope, passwords: .importing(passwords), registered: graph.providers.ids,
      takesRecordsOfTenants: true, at: now, totp: graph.totpSecrets(in: caller.scope))
  }

  /// Hashes a plain password like a new one.
  private func hashPassword(of record: inout UserRecord) async throws(AuthError) {
    guard let password = record.rawPassword, record.passwordHash == nil, record.email != nil,
      let provider = graph.providers[.password] as? PasswordProvider
    else { return }
    do {
      record.passwordHash = try await provider.recordHash(of: password)
      record.salt = nil
    } catch {
      throw AuthError(
        .invalidArgument, "The password cannot be hashed.", field: "rawPassword",
        remedy: "Leave rawPassword out, and have the person reset the password.", cause: error)
    }
  }

  /// Stores the parameters of the hashes read so far, before the hashes themselves.
  private func keepParameters() async throws -> [String: PasswordHashParameters] {
    let parameters = passwords.parameters
    guard !parameters.isEmpty, !caller.dryRun else { return parameters }
    var settings = try await graph.settings(of: caller.scope)
    if settings.keep(parameters.values) {
      _ = try await graph.changeSettings(by: caller) { _ = $0.keep(parameters.values) }
    }
    return parameters
  }

  /// Names the file by its path, inode, size and time, so that a changed file starts anew; a pipe has no name.
  private func checkpointName() -> String? {
    let path = URL(filePath: file).standardizedFileURL.path
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeRegular
    else { return nil }
    let number = (attributes[.systemFileNumber] as? NSNumber)?.intValue ?? 0
    let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
    let changed = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
    let suffix = importer.map { ":\($0.version)" } ?? ""
    return "import:\(path):\(number):\(size):\(changed)\(suffix)"
  }

  /// Returns the number of records that an interrupted run has processed.
  private func place(_ checkpoint: String?) async throws -> Int {
    guard !caller.dryRun, let checkpoint else { return 0 }
    return try await graph.checkpoint(checkpoint, in: caller.scope).flatMap { Int($0) } ?? 0
  }
}
