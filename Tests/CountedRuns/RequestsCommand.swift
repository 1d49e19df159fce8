import ArgumentParser
import CCounting
import MeasuredWork

/// Sends a server everything that a request can have many of, for a tool that counts instructions.
///
/// Runs with different numbers tell how the cost of a request grows with what is in it.
struct RequestsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "requests",
    abstract: "Sends requests with many entries, for a tool that counts instructions.")

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    /// Lists and objects in every place of every operation's body.
    case bodies
    /// Forms, queries, words, header fields, and JSON in texts.
    case texts
  }

  @Argument(help: "bodies or texts.") var kind: Kind
  @Option(help: "How many entries each has.") var entries = 2000
  @Flag(help: "Make the requests, and send none: what that takes is no server's.")
  var unsent = false

  func run() async throws {
    let server = HostileRequests(entries: entries, areSent: !unsent)
    counting_begin()
    defer { counting_end() }
    switch kind {
    case .bodies: try await server.sendBodies()
    case .texts: try await server.sendTexts()
    }
  }
}
