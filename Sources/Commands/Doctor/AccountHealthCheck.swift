import AuthCore

/// Finds accounts that an earlier version left in a state that the current rules exclude, and those linked with a
/// provider that is not set up.
struct AccountHealthCheck {
  let store: any AccountStore
  let projects: [String]
  let providers: ProviderRegistry

  private static let page = 1000
  /// The maximum number of uids that are listed for a scope.
  private static let named = 5

  func run() async -> [Diagnosis] {
    do {
      var (diagnoses, warnings): ([Diagnosis], [Diagnosis]) = ([], [])
      var count = 0
      for scope in try await scopes() {
        let (accounts, faulty, linked) = try await look(in: scope)
        count += accounts
        if !faulty.isEmpty { diagnoses.append(Self.diagnosis(faulty, in: scope)) }
        warnings += try await orphans(linked, in: scope)
        warnings += try await versions(in: scope)
      }
      return
        (diagnoses.isEmpty
        ? [.ok("accounts", "\(count) accounts, none of them with a fault.")] : diagnoses) + warnings
    } catch {
      return [.wrong("accounts", error)]
    }
  }

  /// The projects and their tenants.
  private func scopes() async throws -> [Scope] {
    var scopes: [Scope] = []
    for project in projects {
      scopes.append(Scope(project: project))
      var place: String?
      repeat {
        let after = place
        let tenants = try await store.read(from: .replica) {
          try $0.tenants(of: project, after: after, limit: Self.page)
        }
        scopes += tenants.map { Scope(project: project, tenant: $0) }
        place = tenants.count < Self.page ? nil : tenants.last
      } while place != nil
    }
    return scopes
  }

  private func look(
    in scope: Scope
  ) async throws -> (count: Int, faulty: [Account], linked: [ProviderID: Int]) {
    var count = 0
    var faulty: [Account] = []
    var linked: [ProviderID: Int] = [:]
    var place: AccountID?
    repeat {
      let after = place
      let accounts = try await store.read(from: .replica) {
        try $0.accounts(matching: AccountFilter(), after: after, limit: Self.page, in: scope)
      }
      count += accounts.count
      faulty += accounts.filter { !$0.faults.isEmpty }
      for account in accounts {
        for provider in Set(account.identities.map(\.provider)) {
          linked[provider, default: 0] += 1
        }
      }
      place = accounts.count < Self.page ? nil : accounts.last?.id
    } while place != nil
    return (count, faulty, linked)
  }

  /// Returns a warning for each provider that accounts are linked with and that is not set up, or is no longer.
  private func orphans(
    _ linked: [ProviderID: Int], in scope: Scope
  ) async throws -> [Diagnosis] {
    let settings = try await store.settings(of: scope)
    return linked.sorted { $0.key < $1.key }.compactMap { provider, count in
      let isForgotten = settings.subjects[provider.rawValue] != nil
      let needsSetUp =
        providers[provider]?.manifest.configuration.contains(where: \.isRequired) ?? isForgotten
      guard settings.providers[provider.rawValue] == nil, needsSetUp else { return nil }
      let accounts = count == 1 ? "1 account is" : "\(count) accounts are"
      return .warning(
        "providers",
        "\(accounts) linked with \(provider) in \(scope), which is not set up there, so nobody signs in with it. "
          + "providers.configure sets it up; accounts.find { providerID = \"\(provider)\" } lists them."
      )
    }
  }

  private static func diagnosis(_ accounts: [Account], in scope: Scope) -> Diagnosis {
    let shown = accounts.prefix(named).map { account in
      "\(account.id) has \(account.faults.map(\.description).joined(separator: "; "))"
    }
    let more = accounts.count > named ? ", and \(accounts.count - named) more" : ""
    let tenant = scope.tenant.map { " --tenant \($0)" } ?? ""
    return .wrong(
      "accounts",
      "\(accounts.count) accounts of \(scope) have a fault: \(shown.joined(separator: ", "))\(more). "
        + "authgraph mend --project \(scope.project)\(tenant) shows how to mend them.")
  }
}
