extension [PlacedSession] {
  /// Returns the sessions that cannot continue, except recently ended ones, whose refresh should fail with the reason.
  ///
  /// The sessions are in order of scope.
  func over(at now: Timestamp, _ reader: any AccountReader) throws -> [PlacedSession] {
    let grace = now.adding(seconds: -AccountGraph.graceOfSessions)
    var over: [PlacedSession] = []
    for group in chunkedByScope {
      guard let scope = group.first?.scope else { continue }
      let end = try reader.settings(of: scope).endOfSessions(at: now)
      var doubtful: [PlacedSession] = []
      for session in group {
        // Without its account, or under an absorbed uid, a session only reveals its account.
        if !session.hasAccount || end.map({ session.lastUse <= $0 }) == true {
          over.append(session)
        } else if session.lastUse <= grace {
          doubtful.append(session)
        }
      }
      let accounts = try reader.accounts(of: doubtful, in: scope)
      over += doubtful.filter { session in
        accounts[session.session.account].map { session.isOver(on: $0, before: grace) } ?? true
      }
    }
    return over
  }

  private var chunkedByScope: [ArraySlice<PlacedSession>] {
    var chunks: [ArraySlice<PlacedSession>] = []
    var start = startIndex
    for index in indices.dropFirst() where self[index].scope != self[start].scope {
      chunks.append(self[start..<index])
      start = index
    }
    if start < endIndex { chunks.append(self[start...]) }
    return chunks
  }
}

extension PlacedSession {
  fileprivate var lastUse: Timestamp { session.usedAt ?? session.createdAt }

  /// Tells whether the session ended, and did so before a time if that is known.
  fileprivate func isOver(on account: Account, before moment: Timestamp) -> Bool {
    if account.hasEnded(.of(session.mark), begunAt: session.signedInAt) {
      // The session ended at that time, or earlier.
      return account.validSince.map { $0 <= moment } ?? true
    }
    return session.identity.map {
      !account.keepsSession(of: $0, begunAt: session.signedInAt)
    } ?? false
  }
}

extension AccountReader {
  /// Returns the accounts of one scope's sessions, loaded in one round trip.
  fileprivate func accounts(
    of sessions: [PlacedSession], in scope: Scope
  ) throws -> [AccountID: Account] {
    let ids = Set(sessions.map(\.session.account)).sorted { $0.rawValue < $1.rawValue }
    guard !ids.isEmpty else { return [:] }
    return try snapshot(SnapshotQuery(ids.map(AccountKey.uid), in: scope)).accounts
  }
}
