import AuthCore

/// Checks the old system of passwords that projects name.
struct MigrationHealthCheck {
  let store: any AccountStore
  let projects: [String]
  let providers: ProviderRegistry

  func run() async -> [Diagnosis] {
    var diagnoses: [Diagnosis] = []
    for project in projects {
      let scope = Scope(project: project)
      do {
        let settings = try await store.settings(of: scope)
        guard let name = settings.signIn.passwordMigration else { continue }
        diagnoses.append(diagnosis(of: ProviderID(name), settings, project))
      } catch {
        diagnoses.append(.wrong("passwords", error))
      }
    }
    return diagnoses
  }

  private func diagnosis(
    of old: ProviderID, _ settings: ProjectSettings, _ project: String
  ) -> Diagnosis {
    let place = "signIn.passwordMigration of \(project) names \(old)"
    guard let provider = providers[old] else {
      return .wrong("passwords", "\(place), which is no provider. Load its plug-in, or unset it.")
    }
    guard PasswordMigration.isPossible(with: provider) else {
      return .wrong(
        "passwords",
        "\(place), which has no credential \(PasswordMigration.builderName) of email and password.")
    }
    let given = settings.providers[old.rawValue]
    let missing = provider.manifest.configuration.filter { field in
      field.isRequired && given?.values[field.name] == nil
        && given?.sealedSecrets[field.name] == nil
    }
    guard missing.isEmpty else {
      return .wrong(
        "passwords",
        "\(place), which lacks \(missing.map(\.name).joined(separator: ", ")). "
          + "providers.configure sets it.")
    }
    let trust = settings.trust[old] == .never ? "not trusted" : "trusted"
    return .ok("passwords", "\(old) is asked for passwords; its word on addresses is \(trust).")
  }
}
