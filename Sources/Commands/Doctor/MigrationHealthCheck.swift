import AdminConsole
import AuthCore

/// Checks the old system of passwords that projects and tenants name.
struct MigrationHealthCheck {
  let store: any AccountStore
  let scopes: [Scope]
  let providers: ProviderRegistry

  func run() async -> [Diagnosis] {
    var diagnoses: [Diagnosis] = []
    for scope in scopes {
      do {
        let settings = try await store.settings(of: scope)
        guard let name = settings.signIn.passwordMigration else { continue }
        diagnoses.append(diagnosis(of: ProviderID(name), settings, "\(scope)"))
      } catch {
        diagnoses.append(.wrong("passwords", error))
      }
    }
    return diagnoses
  }

  private func diagnosis(
    of old: ProviderID, _ settings: ProjectSettings, _ scope: String
  ) -> Diagnosis {
    let place = "signIn.passwordMigration of \(scope) names \(old)"
    guard let provider = providers[old] else {
      return .wrong("passwords", "\(place), which is no provider. Load its plug-in, or unset it.")
    }
    guard PasswordMigration.isPossible(with: provider) else {
      return .wrong(
        "passwords",
        "\(place), which has no credential \(PasswordMigration.builderName) of email and password.")
    }
    let missing = provider.manifest.missingSettings(as: old, in: settings)
    guard missing.isEmpty else {
      return .wrong(
        "passwords",
        "\(place), which lacks \(missing.joined(separator: ", ")). "
          + "providers.configure sets it.")
    }
    let trust = settings.trust[old] == .never ? "not trusted" : "trusted"
    return .ok("passwords", "\(old) is asked for passwords; its word on addresses is \(trust).")
  }
}
