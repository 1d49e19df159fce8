import Foundation

extension Auth {
  /// Returns the current user's token, or nil if no user is signed in, and keeps it fresh from then on.
  ///
  /// It is for other modules of an app, which have no ``User``.
  public func getToken(
    forcingRefresh: Bool, completion: @escaping (String?, (any Error)?) -> Void
  ) {
    keepFresh()
    guard let user = currentUser else {
      return complete({ completion(nil, $0) }, {})
    }
    complete(completion) { try await user.getIDToken(forcingRefresh: forcingRefresh) }
  }

  private func keepFresh() {
    state.withLock { state in
      guard state.autoRefresh == nil else { return }
      let refreshing = AutoRefresh(
        expiresAt: { [weak self] in self?.currentUser?.tokens.pair.expiresAt },
        refresh: { [weak self] in
          _ = try await self?.currentUser?.getIDToken(forcingRefresh: true)
        }, now: clock.now, sleep: clock.sleep)
      state.autoRefresh = refreshing
      if state.currentUser != nil { refreshing.start() }
    }
  }
}
