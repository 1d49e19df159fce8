import AuthCore
import SessionTokens
import TestSupport
import Testing

@testable import AdminConsole

/// Splits and moves in a console on a server.
@Suite struct `Splits and moves in a console on a server` {
  private static let accounts = """
    ada = accounts.create { uid = "ada", email = "ada@example.com", emailVerified = true,
      password = "right-horse", displayName = "Ada" }
    ada:link { providerID = "github.com", subject = "583231" }
    ada:link { providerID = "google.com", subject = "108" }
    accounts.create { uid = "bo" }
    """

  private static func console(
    _ scopes: Set<AdminScope>, _ seen: CollectedOutput
  ) throws -> RemoteConsole {
    let home = try ConsoleHome()
    try home.run(accounts)
    return try RemoteConsole(
      ServedTransport(home, scopes: scopes).link, output: seen.output(), opening: ConsoleOpening())
  }

  @Test func `they are planned, made and undone with the scope merge`() async throws {
    try await blocking {
      let seen = CollectedOutput()
      let console = try Self.console(
        [.readConsole, .writeConsole, .readAccounts, .merge], seen)
      for (input, shown) in [
        ("plan = accounts.get('ada'):split { identities = { 'github.com' }, uid = 'new' }", ""),
        ("#plan.movedIdentities", "1"), ("receipt = plan:commit { reason = 'two people' }", ""),
        ("receipt.action", "split"), ("#accounts.get('new').providerData", "1"),
        ("accounts.undo(receipt).action", "undo-split"),
        ("plan = accounts.get('ada'):move('google.com', 'bo')", ""),
        ("receipt = plan:commit { reason = 'of bo' }", ""), ("receipt.action", "move"),
        ("#accounts.get('bo').providerData", "1"),
        ("accounts.undo(receipt).action", "undo-move"),
        ("#accounts.get('ada').providerData", "3"),
      ] {
        console.enter(input, seen)
        let text = seen.taken()
        #expect(text.contains(shown) && !text.contains("error"), "\(input): \(text)")
      }
      console.close()
    }
  }

  @Test func `a token without the scope merge is refused`() async throws {
    try await blocking {
      let seen = CollectedOutput()
      let console = try Self.console([.readConsole, .writeConsole, .readAccounts], seen)
      for input in [
        "accounts.get('ada'):split { identities = { 'github.com' } }",
        "accounts.get('ada'):move('google.com', 'bo')",
      ] {
        console.enter(input, seen)
        let text = seen.taken()
        #expect(text.contains("merge"), "\(input): \(text)")
      }
      console.enter("#accounts.get('ada').providerData", seen)
      #expect(seen.taken().contains("3"))
      console.close()
    }
  }
}
