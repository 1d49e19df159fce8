import AuthCore

/// Tells the addresses that an admin gives to vendors, which send events about people there.
struct EventAddressCheck {
  let store: any AccountStore
  let projects: [String]
  let providers: ProviderRegistry
  let publicURL: String

  func run() async -> [Diagnosis] {
    var diagnoses: [Diagnosis] = []
    do {
      for project in projects {
        let settings = try await store.read(from: .replica) {
          try $0.settings(of: Scope(project: project))
        }
        for id in settings.providers.keys.sorted() {
          diagnoses += addresses(ProviderID(id), settings.providers[id], project)
        }
      }
      return diagnoses
    } catch {
      return [.wrong("events", error)]
    }
  }

  private func addresses(
    _ id: ProviderID, _ configuration: ProviderConfiguration?, _ project: String
  ) -> [Diagnosis] {
    let settings = ProviderSettings(id, configuration, open: { _, text in text })
    guard let provider = providers[id] as? any EventReceiving, provider.receivesEvents(settings)
    else { return [] }
    let base = "\(publicURL)/v1/projects/\(project)/providers/\(id)"
    let ends = provider.eventTopics.map { "/events/\($0)" }
    return (ends.isEmpty ? [":events"] : ends).map { end in
      .ok("events", "\(provider.manifest.name) may report what happens to people at \(base)\(end)")
    }
  }
}
