import AdminConsole
import ArgumentParser
import AuthCore

/// `authgraph store sweep`: removes expired data.
struct StoreSweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Remove expired codes, ended sessions and old events.",
    discussion: """
      A server removes expired records every minute and the rest every hour. For a store without a server, run this \
      command now and then. It works in small transactions, and can run while servers are running.

      Each project and tenant sets how long events and sessions stay: settings.set { eventRetentionDays = 400, \
      sessionRetentionDays = 0 } in the console; 0 means for ever. The journal keeps ended merges for \
      mergeRetentionDays, deleted accounts can be restored for deletionRetentionDays, and \
      masked conflicts are kept for decisionRetentionDays.
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
      "decisions": .integer(Int64(decisions)),
    ]
  }

  fileprivate var text: String {
    "Removed \(oneTimeRecords) expired records, \(sessions) sessions, \(events) events, \(deliveries) deliveries and "
      + "\(decisions) decisions."
  }
}
