/// Which sessions of an account go on.
extension Account {
  /// Whether a session is over: its mark is not the account's any more, or it began before a moment that an admin named.
  ///
  /// The moment says nothing of a session that began under the account's mark, unless an admin named one of the past: a
  /// session begins no earlier than ``validSince``.
  public func hasEnded(_ shown: ShownMark, begunAt time: Timestamp) -> Bool {
    shown.isOver(on: self) || isEnded(begunAt: time)
  }

  /// Whether a session that began at a time did so before ``validSince``.
  func isEnded(begunAt time: Timestamp) -> Bool {
    validSince.map { time < $0 } ?? false
  }

  /// Whether a session that an identity's credential made goes on: the account still has the identity, and has had it since
  /// before the session began.
  ///
  /// An identity that was unlinked and linked again is a new one to its old sessions. A key that was replaced leads to the
  /// identity that replaced it.
  public func keepsSession(of key: IdentityKey, begunAt time: Timestamp) -> Bool {
    identity(reachedBy: key).map { $0.linkedAt <= time } ?? false
  }

  /// When a session begins that is made at a moment: not before what it has to outlast, whatever the clock says.
  ///
  /// A clock that was set back, or another server's that is behind, would otherwise make sessions that are over at once.
  func beginning(of key: IdentityKey?, at now: Timestamp) -> Timestamp {
    let linkedAt = key.flatMap { identity(reachedBy: $0)?.linkedAt }
    return [now, validSince, linkedAt].compactMap(\.self).max() ?? now
  }

  /// When an identity counts as linked that is linked at a moment: after every session of before, also of servers whose
  /// clocks are ahead.
  ///
  /// Otherwise sessions of an identity that was unlinked would go on with the new one.
  func linking(at now: Timestamp) -> Timestamp {
    guard let newest = newestSession(at: now), newest > now else { return now }
    return Timestamp(milliseconds: newest.milliseconds + 1)
  }

  /// Ends every session that exists now.
  ///
  /// The count ends them. The moment is what others are shown, and what they compare the beginning of a session with, in
  /// whole seconds; one that is ahead of the clock is that of sessions that are.
  mutating func cutSessions(at now: Timestamp) {
    generation = (generation ?? 0) + 1
    validSince = validSince.map { $0 > now ? $0.nextSecond : now } ?? now
  }

  /// Ends the sessions that began before a moment that an admin names.
  ///
  /// A moment that may mean now, on a machine whose clock is behind, ends every session that exists.
  mutating func cutSessions(before moment: Timestamp, at now: Timestamp) {
    if moment.adding(seconds: Self.clockDifference) >= now { cutSessions(at: now) }
    validSince = moment
  }

  /// Whether sessions of another state of the account are over by this one.
  func endsSessions(of old: Account) -> Bool {
    sessionMark != old.sessionMark || validSince != old.validSince
  }

  /// By how many seconds the clock of a machine that ends sessions may be behind.
  private static let clockDifference: Int64 = 600
}

/// What Firebase's Admin SDKs see of ended sessions: they compare whole seconds, of `auth_time` and of ``Account/validSince``.
extension Account {
  /// The account whose ``validSince`` is behind every session of another state of it, if it ends them: in a later second
  /// if the clock of the server at which the newest began is ahead.
  ///
  /// So a comparison of the two refuses what this server refuses, whichever clock gave the times. Later sessions begin no
  /// earlier than it. What begins and ends within one second of one clock is told apart by the mark alone.
  func endingVisibly(_ old: Account, at now: Timestamp) -> Account {
    guard generation != nil, sessionMark != old.sessionMark, let end = validSince,
      let newest = old.newestSession(at: now)
    else { return self }
    // What begins and ends within one second of one clock stays in it: the mark tells them apart.
    let isBehind = now < newest
    guard isBehind ? end < newest.nextSecond : end.nextSecond < newest.nextSecond else {
      return self
    }
    var account = self
    account.validSince = newest.nextSecond
    return account
  }

  /// When the newest session may have begun; nil if there was none.
  ///
  /// What is more than a day ahead is no clock's difference but a mistake in a record, and is left out.
  func newestSession(at now: Timestamp) -> Timestamp? {
    let latest = now.adding(seconds: 86_400)
    let times = [details.lastRefreshAt, lastSignInAt, validSince] + identities.map(\.linkedAt)
    return times.compactMap(\.self).filter { $0 <= latest }.max()
  }

  /// Notes that an identity of another state of the account went, so that it counts as linked after every session of before
  /// if it is linked again, to the millisecond.
  func notingLosses(since old: Account, at now: Timestamp) -> Account {
    guard old.details.lastRefreshAt != nil, let newest = old.newestSession(at: now),
      old.identities.contains(where: { !keeps($0) })
    else { return self }
    var account = self
    let after = Timestamp(milliseconds: newest.milliseconds + 1)
    account.details.lastRefreshAt = max(after, details.lastRefreshAt ?? after)
    return account
  }

  /// Whether an identity of another state of the account is there, if under another key: a rekey or its rolling back
  /// replaces keys.
  private func keeps(_ identity: Identity) -> Bool {
    let keys = [identity.key] + identity.predecessors.map(\.identity.key)
    return keys.contains { self.identity(reachedBy: $0) != nil }
  }

  /// Notes that a session begins; an earlier one of a server whose clock is ahead stays the newest.
  mutating func noteSession(at now: Timestamp) {
    let last = details.lastRefreshAt ?? now
    let isAhead = last > now && last <= now.adding(seconds: 86_400)
    details.lastRefreshAt = isAhead ? last : now
  }
}

extension Verdict {
  /// Moves the moments at which sessions end, or lose their identity, behind every one that they are of.
  mutating func endSessionsVisibly(at now: Timestamp, on snapshot: Snapshot) {
    for index in changes.updated.indices {
      let update = changes.updated[index]
      var visible = update.new.endingVisibly(update.old, at: now)
      if action != .undoMerge { visible = visible.notingLosses(since: update.old, at: now) }
      guard visible != update.new else { continue }
      changes.updated[index] = ChangeSet.Update(old: update.old, new: visible)
      if account?.id == visible.id { account = visible }
      // What the journal keeps of a merge that is undone is the merge as it was.
      if action != .undoMerge { replaceRow(visible, from: snapshot) }
    }
  }
}

extension Timestamp {
  /// The beginning of the next second.
  fileprivate var nextSecond: Timestamp {
    let later = adding(seconds: 1).milliseconds
    return Timestamp(milliseconds: later - (later % 1000 + 1000) % 1000)
  }
}
