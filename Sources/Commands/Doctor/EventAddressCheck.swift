import AdminConsole
import AuthCore

/// Tells the addresses that an admin gives to vendors, which send events about people there.
struct EventAddressCheck {
  let store: any AccountStore
  let scopes: [Scope]
  let providers: ProviderRegistry
  let publicURL: String

  func run() async -> [Diagnosis] {
    var diagnoses: [Diagnosis] = []
    do {
      for scope in scopes {
        let settings = try await store.read(from: .replica) { try $0.settings(of: scope) }
        let members = settings.providers.keys.map { ProviderID($0) }
        for id in Set(providers.ids + members).sorted() {
          diagnoses += addresses(id, settings, scope)
        }
      }
      return diagnoses
    } catch {
      return [.wrong("events", error)]
    }
  }

  private func addresses(
    _ id: ProviderID, _ settings: ProjectSettings, _ scope: Scope
  ) -> [Diagnosis] {
    let own = ProviderSettings(id, settings.providers[id.rawValue], open: { _, text in text })
    guard let provider = providers[id] as? any EventReceiving,
      provider.manifest.isSetUp(as: id, in: settings), provider.receivesEvents(own)
    else { return [] }
    let tenant = scope.tenant.map { "/tenants/\($0)" } ?? ""
    let base = "\(publicURL)/v1/projects/\(scope.project)\(tenant)/providers/\(id)"
    let ends = provider.eventTopics.map { "/events/\($0)" }
    return (ends.isEmpty ? [":events"] : ends).map { end in
      .ok("events", "\(provider.manifest.name) may report what happens to people at \(base)\(end)")
    }
  }
}
