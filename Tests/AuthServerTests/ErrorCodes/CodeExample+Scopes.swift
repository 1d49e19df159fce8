import AuthCore
import AuthTesting

extension CodeExample {
  /// Projects and tenants, and the operations that they allow.
  static let scopes: [CodeExample] = [
    CodeExample(.operationNotAllowed) { home in
      try await home.settings { $0.signIn.closedProviders = [.password] }
      try await home.signIn(home.password())
    },
    CodeExample(.adminRestrictedOperation) { home in
      try await home.settings { $0.signIn.allowsSignUp = false }
      return try await home.graph.signUp(home.password(), by: home.anyone)
    },
    CodeExample(.projectDisabled) { home in
      try await home.settings { $0.signIn.isDisabled = true }
      try await home.signIn(home.password())
    },
    CodeExample(.tenantMismatch) { home in
      let tenant = Scope(project: home.scope.project, tenant: "berlin")
      let account = Account(id: AccountID("ada"), scope: tenant, createdAt: home.clock.now)
      let outcomes = try await home.graph.importRecords(
        [ImportedAccount(account: account, line: 1)], overwriting: false, by: home.admin)
      for case .refused(let error) in outcomes { throw error }
    },
    CodeExample(.tenantNotFound) { home in
      try await home.graph.deleteTenant(
        Scope(project: home.scope.project, tenant: "berlin"), by: home.admin)
    },
  ]

  /// Merges and their journal.
  static let merges: [CodeExample] = [
    CodeExample(.mergeRefused) { home in
      let ada = try await home.person()
      return try await home.graph.planMerge(keep: ada, absorb: ada, in: home.scope)
    },
    CodeExample(.planOutdated) { home in
      let (ada, bob) = (try await home.person(), try await home.person("bob"))
      let plan = try await home.graph.planMerge(keep: ada, absorb: bob, in: home.scope)
      try await home.rename(bob, "Bob")
      return try await home.graph.commit(plan, by: home.admin)
    },
    CodeExample(.undoRefused) { home in
      let (ada, bob) = (try await home.person(), try await home.person("bob"))
      let plan = try await home.graph.planMerge(keep: ada, absorb: bob, in: home.scope)
      let merge = try await home.graph.commit(plan, by: home.admin)
      try await home.rename(ada, "Ada")
      return try await home.graph.undoMerge(merge.id, by: home.admin)
    },
    CodeExample(.eventNotFound) { try await $0.graph.event("unknown", in: $0.scope) },
  ]
}
