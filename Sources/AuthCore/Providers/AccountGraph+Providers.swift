extension AccountGraph {
  /// Returns the same graph with further providers.
  public func adding(_ providers: [any AuthProvider]) -> AccountGraph {
    AccountGraph(
      store: store, providers: self.providers.adding(providers), policies: policies,
      services: services, clock: clock, random: random)
  }
}
