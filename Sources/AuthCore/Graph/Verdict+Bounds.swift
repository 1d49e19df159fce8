extension Verdict {
  /// Sets the time of the decision, and refuses accounts that would exceed their bounds.
  ///
  /// Every decision passes here, whatever the source of its texts: a change, a credential, a script or a map of
  /// subjects. Data that an account of the snapshot already has may stay and move, and an undo restores what was there.
  mutating func settle(at now: Timestamp, on snapshot: Snapshot) {
    at = now
    guard error == nil, !action.restoresEarlierState else { return }
    for account in changes.inserted where error == nil {
      error = account.excess(beside: Array(snapshot.accounts.values))
    }
    for update in changes.updated where error == nil {
      error = update.new.excess(beside: Array(snapshot.accounts.values))
    }
    if let settings = changes.settings, error == nil {
      error = settings.excess(beside: snapshot.settings)
    }
  }
}
