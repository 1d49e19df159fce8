extension Verdict {
  /// Fixes when it was decided, and refuses accounts that may not be kept as they would become.
  ///
  /// Every decision comes by here, whatever brought its texts: a change, a credential, a script or another map of
  /// subjects. What an account of the snapshot has already may stay and move, and an undo gives back what was.
  mutating func settle(at now: Timestamp, on snapshot: Snapshot) {
    at = now
    guard error == nil, action != .undoMerge else { return }
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
