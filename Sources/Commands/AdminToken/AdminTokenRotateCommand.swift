import ArgumentParser
import AuthCore
import SessionTokens

/// `authgraph admin-token rotate NAME`: makes another key for a service account.
struct AdminTokenRotateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate", abstract: "Make a new key for a service account, and write its file.",
    discussion: """
      The earlier keys stay valid for some time, so that the file can be exchanged on every machine. Tokens of a key are \
      refused when the key is over.
      """)

  @OptionGroup var options: ConfigurationOptions
  @Argument(help: "The name of the service account.") var name: String

  @Option(
    help: ArgumentHelp("The new file of the key, or - for standard output.", valueName: "file"),
    completion: .file())
  var serviceAccount: String

  @Option(
    help: ArgumentHelp(
      "How long the earlier keys stay valid, such as 1h or 2d; 0s ends them now.",
      valueName: "time"))
  var keep = "1d"

  @Flag(help: "Answer in JSON.") var json = false

  func run() throws {
    try reportingErrors(asJSON: json) {
      let place = try AdminTokenPlace(options)
      let now = Timestamp.now()
      let end = keep == "0s" ? now : try Lifetime(keep, field: "keep").end(from: now)
      let seconds = (end.milliseconds - now.milliseconds) / 1000
      let name = name
      let file = try place.write(to: serviceAccount) {
        try await place.tokens.rotate(
          name: name, keepingFor: seconds, server: place.server, by: place.caller)
      }
      try file.tell(
        "The service account \(name) has a new key; the earlier ones are over on \(end.text).",
        asJSON: json, to: serviceAccount)
    }
  }
}
