import Testing

@testable import AdminConsole

@Suite struct `The end of a console` {
  /// Otherwise a store stays open after its console, and a server keeps the memory of closed sessions.
  @Test func `releases the session, whatever its variables hold`() throws {
    weak var released: ConsoleSession?
    do {
      let home = try ConsoleHome()
      released = home.admin.session
      let end = home.admin.run(
        ConsoleStatement(
          """
          ada = accounts.create { uid = "ada", email = "ada@example.com" }
          all = show(accounts.find()) list = merge.planAll() text = all:csv()
          begin() ada:disable() seen = rehearsal() nevermind()
          function keep() return all, list, ada, seen end
          each = accounts.each() each()
          """, .prompt))
      #expect(end.error == nil)
      _ = home.admin.run(ConsoleStatement("all", .prompt))
      #expect(released != nil)
    }
    #expect(released == nil)
  }
}
