/// The rules that decide which sessions of an account continue.
extension Account {
  /// Tells whether a session is over: the account's mark has changed, or an admin named a time after its beginning.
  ///
  /// A session begins no earlier than ``validSince``, so the time matters only if an admin set an earlier one.
  public func hasEnded(_ shown: ShownMark, begunAt time: Timestamp) -> Bool {
    shown.isOver(on: self) || isEnded(begunAt: time)
  }

  /// Tells whether a session began before ``validSince``.
  func isEnded(begunAt time: Timestamp) -> Bool {
    validSince.map { time < $0 } ?? false
  }

  /// Tells whether a session from an identity's credential continues, because the account has had the identity since
  /// before it began.
  ///
  /// An identity that was unlinked and linked again is a new one for its old sessions. A replaced key leads to the
  /// identity that replaced it. A vendor's event may have ended the sessions that its identity began. A session that
  /// unlinked the identity itself continues; see ``UnlinkedSession``.
  public func keepsSession(of key: IdentityKey, begunAt time: Timestamp) -> Bool {
    guard let end = mark(reachedBy: key)?.sessionsEndedAt, time < end else {
      let isSince = identity(reachedBy: key).map { $0.linkedAt <= time } ?? false
      return isSince || keptKey(ofSessionBegunAt: time, where: { $0 == key }) != nil
    }
    return false
  }

  /// Returns the beginning of a new session: now, but not before the times that would end it.
  ///
  /// Otherwise a clock that is slow, here or on another server, would make sessions that are already over.
  func beginning(of key: IdentityKey?, at now: Timestamp) -> Timestamp {
    let linkedAt = key.flatMap { identity(reachedBy: $0)?.linkedAt }
    let endedAt = key.flatMap { mark(reachedBy: $0)?.sessionsEndedAt }
    return [now, validSince, linkedAt, endedAt].compactMap(\.self).max() ?? now
  }

  /// Returns the beginning of the session that ``noteSession(of:at:)`` noted.
  ///
  /// A session that has to begin ahead of the clock begins after those before it. Otherwise all of them would begin at the
  /// same time, and one that unlinks its identity would keep the others; see ``UnlinkedSession``.
  func notedBeginning(of key: IdentityKey?, at now: Timestamp) -> Timestamp {
    let earliest = beginning(of: key, at: now)
    guard earliest > now, let noted = details.lastRefreshAt, noted.isSoon(after: earliest) else {
      return earliest
    }
    return noted
  }

  /// Returns the time at which a new identity counts as linked: now, but after all earlier sessions.
  ///
  /// Otherwise sessions of an unlinked identity would continue with the new one, if a server's clock is fast.
  func linking(at now: Timestamp) -> Timestamp {
    guard let newest = newestSession(at: now), newest > now else { return now }
    return Timestamp(milliseconds: newest.milliseconds + 1)
  }

  /// Ends every present session.
  ///
  /// The count ends them. Other software sees ``validSince`` and compares it with the beginning of a session, in whole
  /// seconds. It moves ahead of the clock if a session began ahead of it.
  mutating func cutSessions(at now: Timestamp) {
    generation = (generation ?? 0) + 1
    details.keptSessions = []
    validSince = validSince.map { $0 > now ? $0.nextSecond : now } ?? now
  }

  /// Ends the sessions that began before a time that an admin names.
  ///
  /// A time that may mean now, from a machine with a slow clock, ends every present session.
  mutating func cutSessions(before moment: Timestamp, at now: Timestamp) {
    if moment.adding(seconds: Self.clockDifference) >= now { cutSessions(at: now) }
    validSince = moment
  }

  /// Tells whether this state of the account ends the sessions of another one.
  func endsSessions(of old: Account) -> Bool {
    sessionMark != old.sessionMark || validSince != old.validSince
  }

  /// The tolerance in seconds for the clock of a machine that ends sessions.
  private static let clockDifference: Int64 = 600
}

/// The end of sessions as Firebase's Admin SDKs see it: they compare `auth_time` with ``Account/validSince`` in whole
/// seconds.
extension Account {
  /// Returns the account with a ``validSince`` after every session of an earlier state, if it ends them.
  ///
  /// If the newest session began on a server with a fast clock, it is set to a later second. So software that compares
  /// the two refuses the same sessions as this server. Later sessions begin no earlier. Sessions that begin and end
  /// within one second of one clock are distinguished by the mark alone.
  func endingVisibly(_ old: Account, at now: Timestamp) -> Account {
    guard generation != nil, sessionMark != old.sessionMark, let end = validSince,
      let newest = old.newestSession(at: now)
    else { return self }
    // A beginning and an end within one second of one clock keep that second; the mark distinguishes them.
    let isBehind = now < newest
    guard isBehind ? end < newest.nextSecond : end.nextSecond < newest.nextSecond else {
      return self
    }
    var account = self
    account.validSince = newest.nextSecond
    return account
  }

  /// Returns the latest time at which a session may have begun; nil if there was none.
  ///
  /// A time more than a day ahead is an error in a record, not a fast clock, and is ignored.
  func newestSession(at now: Timestamp) -> Timestamp? {
    let latest = now.adding(seconds: 86_400)
    let times = [details.lastRefreshAt, lastSignInAt, validSince] + identities.map(\.linkedAt)
    return times.compactMap(\.self).filter { $0 <= latest }.max()
  }

  /// Returns the account with a note that it lost an identity of an earlier state.
  ///
  /// If the identity is linked again, it then counts as linked after every earlier session, to the millisecond.
  func notingLosses(since old: Account, at now: Timestamp) -> Account {
    guard old.details.lastRefreshAt != nil, let newest = old.newestSession(at: now),
      old.identities.contains(where: { !keeps($0) })
    else { return self }
    var account = self
    let after = Timestamp(milliseconds: newest.milliseconds + 1)
    account.details.lastRefreshAt = max(after, details.lastRefreshAt ?? after)
    return account
  }

  /// Tells whether an identity of an earlier state is still there, perhaps under another key after a rekey or its
  /// rollback.
  func keeps(_ identity: Identity) -> Bool {
    let keys = [identity.key] + identity.predecessors.map(\.identity.key)
    return keys.contains { self.identity(reachedBy: $0) != nil }
  }

  /// Records the beginning of a session; an earlier one from a server with a fast clock stays the newest.
  mutating func noteSession(of key: IdentityKey?, at now: Timestamp) {
    let last = details.lastRefreshAt ?? now
    let earliest = beginning(of: key, at: now)
    guard earliest <= now else {
      let isTaken = last.isSoon(after: earliest)
      details.lastRefreshAt =
        isTaken ? Timestamp(milliseconds: last.milliseconds + 1) : earliest
      return
    }
    let isAhead = last > now && last <= now.adding(seconds: 86_400)
    details.lastRefreshAt = isAhead ? last : now
  }
}

extension Verdict {
  /// Moves the times at which sessions end, or lose their identity, after every session concerned.
  mutating func endSessionsVisibly(at now: Timestamp, on snapshot: Snapshot) {
    for index in changes.updated.indices {
      let update = changes.updated[index]
      var visible = update.new.endingVisibly(update.old, at: now)
      if !action.restoresEarlierState { visible = visible.notingLosses(since: update.old, at: now) }
      guard visible != update.new else { continue }
      changes.updated[index] = ChangeSet.Update(old: update.old, new: visible)
      if account?.id == visible.id { account = visible }
      // The journal keeps an undone change as it was.
      if !action.restoresEarlierState { replaceRow(visible, from: snapshot) }
    }
  }
}

extension Timestamp {
  /// True from a time on, for a day; a later one is an error in a record.
  fileprivate func isSoon(after time: Timestamp) -> Bool {
    self >= time && self <= time.adding(seconds: 86_400)
  }

  /// The beginning of the next second.
  fileprivate var nextSecond: Timestamp {
    let later = adding(seconds: 1).milliseconds
    return Timestamp(milliseconds: later - (later % 1000 + 1000) % 1000)
  }
}
