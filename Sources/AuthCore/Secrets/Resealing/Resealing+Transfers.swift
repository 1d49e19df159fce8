extension Resealing {
  /// Reseals the accounts in the journal of splits and moves, before and after each.
  func changeTransfers(of scope: Scope) async throws -> [ResealingFinding] {
    var findings: [ResealingFinding] = []
    var after: String?
    repeat {
      let place = after
      let ids = try await store.read { reader in
        try reader.oneTimeRecords(.transfer, after: place, limit: Self.page, in: scope).map(\.id)
      }
      after = ids.last
      guard !ids.isEmpty else { break }
      findings += try await transaction { reader, writer in
        try ids.flatMap { id -> [ResealingFinding] in
          guard var record = try reader.oneTimeRecord(id, in: scope),
            let transfer = try TransferRecord(record)
          else { return [] }
          var findings: [ResealingFinding] = []
          let new = try transfer.mapAccounts { account in
            let (new, found) = try resealed(
              account, "an authenticator app in the journal of splits and moves")
            findings += found
            return new
          }
          if let writer, new != transfer {
            record.content = new.json
            try writer.save(record, in: scope)
          }
          return findings
        }
      }
    } while after != nil
    return findings
  }
}
