import AdminConsole
import ArgumentParser
import AuthCore

/// `authgraph store sweep`: removes expired data.
struct StoreSweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Remove expired codes, sessions that are over, and old events.",
    discussion: """
      A server does this by itself, expired records every minute and the rest every hour; for stores that no server \
      runs on, run it now and then. Everything goes in small transactions, beside servers too.

      How long events and sessions stay is a setting of each project and tenant: settings.set { eventRetentionDays = \
      400, sessionRetentionDays = 0 } in the console, where 0 is for ever. The journal of merges that ended stays for \
      mergeRetentionDays.
      """)

  @OptionGroup var options: StoreOptions

  func run() throws {
    try reportingErrors(asJSON: options.json) {
      let graph = try Assembly(options, mustExist: true).graph
      let outcome = try waiting { try await graph.sweep() }
      if options.json { return try StandardStreams.print(outcome.json) }
      try StandardStreams.print(outcome.text)
    }
  }
}

extension SweepOutcome {
  fileprivate var json: JSONValue {
    [
      "oneTimeRecords": .integer(Int64(oneTimeRecords)), "sessions": .integer(Int64(sessions)),
      "events": .integer(Int64(events)), "deliveries": .integer(Int64(deliveries)),
    ]
  }

  fileprivate var text: String {
    "Removed \(oneTimeRecords) expired records, \(sessions) sessions, \(events) events and \(deliveries) deliveries."
  }
}
