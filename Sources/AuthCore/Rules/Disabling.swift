/// What shutting an account out, and letting it in again, ends: every session that there is.
///
/// Sessions do not come back when the account is let in again. They end at that moment too, so that those of an account
/// that an earlier version shut out do not go on either.
extension Verdict {
  /// Ends the sessions of every account whose `disabled` changes, on whatever path.
  mutating func endSessionsOfDisabled(at now: Timestamp, on snapshot: Snapshot) {
    let changed = changes.updated.filter { update in
      update.old.disabled != update.new.disabled && update.new.sessionMark == update.old.sessionMark
    }
    for update in changed {
      var new = update.new
      new.cutSessions(at: now)
      replaceRow(new, from: snapshot)
      guard account?.id == new.id else { continue }
      account = new
      endedSessions = true
    }
  }
}
