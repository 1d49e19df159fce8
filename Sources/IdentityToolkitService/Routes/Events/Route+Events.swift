/// The addresses to which vendors send their events about people.
extension Route {
  static let events: [Route] = ["", "/projects/{project}", "/projects/{project}/tenants/{tenant}"]
    .flatMap { place in
      [
        // A vendor with several addresses, such as Facebook, has a topic after the slash.
        event("/v1\(place)/providers/{provider}:events"),
        event("/v1\(place)/providers/{provider}/events/{event}"),
        Route(
          .get, "/v1\(place)/providers/{provider}/events/{event}", of: .own, access: .open,
          name: "authgraph.providers.eventState", worksWhileDisabled: true, modes: [.production]
        ) { try await EventHandler($0).state() },
      ]
    }

  /// Makes an address; the vendor's signature is all that its requests need.
  private static func event(_ pattern: String) -> Route {
    Route(
      .post, pattern, of: .own, access: .open, name: "authgraph.providers.events",
      worksWhileDisabled: true, takesBytes: true, modes: [.production]
    ) { try await EventHandler($0).receive() }
  }
}
