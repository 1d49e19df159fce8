import AdminConsole
import ArgumentParser
import AuthCore
import BuiltInProviders
import HTTPClientTransport

/// `authgraph store check`: looks for damage and for rows that contradict each other.
struct StoreCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Look for damage in a store, and for accounts with a fault.",
    discussion: """
      Checks the pages, relations and conditions of a store in SQLite, or the server of one in PostgreSQL; then that \
      the store can be written, when it was swept, and every account of all projects. Changes nothing, and can run \
      while servers are running. The exit status is 1 if there is an error. authgraph doctor checks a server as well.
      """)

  @OptionGroup var options: StoreOptions

  func run() throws {
    try reportingErrors(asJSON: options.json) {
      let location = try options.location()
      let store = try location.open(mustExist: true)
      let project = try options.scope().project
      let diagnoses = try waiting {
        let known = try await store.read {
          try $0.scopes(having: .events) + $0.scopes(having: .secrets)
        }
        let projects = Set(known.map(\.project) + [project])
          .subtracting([Scope.servers.project]).sorted()
        let transport = HTTPClientTransport()
        let accounts = AccountHealthCheck(
          store: store, projects: projects, providers: .builtIn(transport: transport))
        let diagnoses =
          await StoreHealthCheck(store: store, location: location).run()
          + accounts.run() + SweepHealthCheck(store: store, projects: projects).run()
        try? await transport.shutdown()
        return diagnoses
      }
      try diagnoses.printed(asJSON: options.json)
    }
  }
}
