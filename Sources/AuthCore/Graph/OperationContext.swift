/// The ground of a decision: what was loaded, when, and for whom.
struct OperationContext: Sendable {
  var snapshot: Snapshot
  let moment: Moment
  let caller: Caller

  var now: Timestamp { moment.now }
}

/// A transaction of the store with the time and the caller for whom it writes.
struct CallerTransaction {
  let writer: any AccountWriter
  let caller: Caller
  let now: Timestamp

  var scope: Scope { caller.scope }
}
