/// The basis of a decision: the snapshot, the time and the caller.
struct OperationContext: Sendable {
  var snapshot: Snapshot
  let moment: Moment
  let caller: Caller

  var now: Timestamp { moment.now }
}

/// A transaction of the store with the time and the caller it writes for.
struct CallerTransaction {
  let writer: any AccountWriter
  let caller: Caller
  let now: Timestamp

  var scope: Scope { caller.scope }
}
