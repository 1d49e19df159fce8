extension AccountGraph {
  /// The same graph with further ways to sign in.
  public func adding(_ providers: [any AuthProvider]) -> AccountGraph {
    AccountGraph(
      store: store, providers: self.providers.adding(providers), policies: policies,
      services: services, clock: clock, random: random)
  }
}
