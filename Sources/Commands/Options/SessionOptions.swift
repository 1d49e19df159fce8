import AdminConsole
import ArgumentParser
import AuthCore
import Foundation

/// The options of a console and its scripts: what they may do, and in whose name.
struct SessionOptions: ParsableArguments {
  @Flag(
    name: .customLong("read-only"),
    help: "Refuse every change; dry runs work. The store is opened for reading alone.")
  var readOnly = false

  @Option(
    help: ArgumentHelp(
      "The person at work, for the audit.",
      discussion: """
        Default: AUTHGRAPH_ACTOR. The audit shows it beside the system's user, which it does not replace: \
        admin:ada (root).
        """,
      valueName: "name"))
  var actor: String?

  @Option(
    help: ArgumentHelp(
      "The reason of changes without a reason of their own.",
      discussion: "Required of scripts if settings.get().console.asksReason is true.",
      valueName: "text"))
  var reason: String?

  /// Returns the name for the audit: that of the system's user, with the person's before it if there is one.
  func actorName() throws(AuthError) -> String {
    let user = NSUserName()
    let named = actor ?? ProcessInfo.processInfo.environment["AUTHGRAPH_ACTOR"] ?? ""
    guard actor != nil || !named.isEmpty else { return user }
    // Without spaces and brackets, no name can imitate another user's.
    guard named.wholeMatch(of: /[A-Za-z0-9._@+-]{1,64}/) != nil else {
      throw AuthError(
        .invalidArgument, "An actor's name has letters, digits and . _ @ + - alone.",
        field: "actor", remedy: "Write --actor ada or --actor ada@example.com.")
    }
    return "\(named) (\(user))"
  }

  /// Prepares a session as the scope's settings want it.
  ///
  /// A person at the terminal is asked for a missing reason; a script without one is refused.
  func prepare(_ session: ConsoleSession, isInteractive: Bool) throws {
    if let reason { try session.setReason(reason) }
    try session.prepare(
      isInteractive: isInteractive, origin: Self.origin,
      ask: isInteractive ? { try Self.askForReason() } : nil)
  }

  /// Asks up to three times; throws if there is no answer.
  static func askForReason() throws -> String {
    for _ in 1...3 {
      let answer = try TerminalPrompt().answer("Reason of this session: ")
      let reason = answer.trimmingCharacters(in: .whitespaces)
      if !reason.isEmpty { return reason }
    }
    throw AuthError(
      .invalidArgument, "A session needs a reason here.", field: "reason",
      remedy: "Give one, or open the console with --read-only.")
  }

  /// The terminal, and the address of a client of SSH.
  private static var origin: String? {
    let terminal = ttyname(STDIN_FILENO).map { String(cString: $0) }
    let client = ProcessInfo.processInfo.environment["SSH_CLIENT"]?.split(separator: " ").first
    let parts = [terminal, client.map { "from \($0)" }].compactMap(\.self)
    return parts.isEmpty ? nil : TextBounds.name.cut(parts.joined(separator: " "))
  }
}
