/// The end of all sessions when an account is disabled or enabled.
///
/// Enabling an account does not restore sessions. It ends them again, for accounts that an earlier version disabled.
extension Verdict {
  /// Ends the sessions of every account whose `disabled` changes, on every path.
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
