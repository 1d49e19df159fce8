import AuthTesting
import Foundation

/// Invariants of the tables that hold after any fault, queried directly in the database.
enum ClusterInvariants {
  /// The queries, each of which finds violations.
  private static let queries = [
    "identities with two owners": """
    select provider, issuer, subject from authgraph.identities
    group by project, tenant, provider, issuer, subject having count(*) > 1
    """,
    "identities of nobody": """
    select uid from authgraph.identities left join authgraph.accounts using (project, tenant, uid)
    where accounts.uid is null
    """,
    "aliases of nobody": """
    select absorbed from authgraph.aliases
    left join authgraph.accounts on accounts.project = aliases.project
      and accounts.tenant = aliases.tenant and accounts.uid = aliases.survivor
    where accounts.uid is null and not exists (
      select 1 from authgraph.aliases as next where next.absorbed = aliases.survivor)
    """,
    "accounts that are aliases": """
    select absorbed from authgraph.aliases join authgraph.accounts on accounts.project = aliases.project
      and accounts.tenant = aliases.tenant and accounts.uid = aliases.absorbed
    """,
    "accounts in a tenant that is gone": """
    select accounts.tenant, uid from authgraph.accounts left join authgraph.settings using (project, tenant)
    where accounts.tenant <> '' and settings.json is null
    """,
    "sessions of nobody": """
    select sessions.uid from authgraph.sessions left join authgraph.accounts using (project, tenant, uid)
    where accounts.uid is null
    """,
    "events in the outbox, from which no server here takes any": """
    select sequence from authgraph.outbox
    """,
    "sequences that do not grow": """
    select sequence from authgraph.events group by project, tenant, sequence having count(*) > 1
    """,
  ]

  static func problems(of database: PostgresServer) throws -> [String] {
    try queries.compactMap { name, query in
      let found = try database.run(query)
      return found.isEmpty ? nil : "\(name): \(found.prefix(300))"
    }
  }
}
