import AuthCore
import LuaRuntime
import Testing

@testable import AdminConsole

/// The `names` library: corrects the names that people see.
struct NamesLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    var names = LuaLibrary(name: "names")
    names.function("correct", correct)
    try state.set("names", to: state.library(names))
  }

  private func correct(_ call: LuaCall) throws -> [LuaValue] {
    let account = try session.account(call, 1)
    let name = try call.string(2, "name")
    let options = try WriteOptions(call, 3)
    guard !name.allSatisfy(\.isWhitespace) else {
      throw AuthError(
        .invalidArgument, "The name is empty.", field: "name",
        remedy: "Write names.correct(account, \"Ada Lovelace\").")
    }
    var changes = ProfileChanges()
    changes.displayName = .set(name)
    let wanted = changes
    let receipt = try session.change(options, holding: [HeldAccount(account)]) { graph, caller in
      try await graph.update(account.id, wanted, by: caller)
    }
    return [.object(LuaObject(type: "receipt", value: receipt))]
  }
}

extension HelpTopic {
  static let names = HelpTopic(
    "names.correct", takes: "account, name, options",
    ["names.correct(ada, \"Ada Lovelace\", { reason = \"ticket 7\" })"],
    "Corrects the name that people see.")
}

@Suite struct NamesLibraryTests {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
    try NamesLibrary(session: home.admin.session).install(in: home.admin.state)
    try home.run("ada = accounts.create { uid = 'ada', displayName = 'Ada Lovelaec' }")
  }

  @Test func `rehearses, and writes with its reason`() async throws {
    try home.run("names.correct(ada, 'Ada', { dryRun = true })")
    #expect(try home.run("return ada.displayName").first == "Ada Lovelaec")

    try home.run("names.correct(ada, 'Ada Lovelace', { reason = 'ticket 7' })")

    #expect(try home.run("return ada.displayName").first == "Ada Lovelace")
    let events = try await home.graph.events(limit: 1, in: home.scope)
    #expect(events.first?.reason == "ticket 7")
  }

  @Test(arguments: ["", "'bo', 'Bo'", "ada", "ada, ' '", "ada, 'Ada', { dryrun = true }"])
  func `refuses wrong arguments`(_ arguments: String) {
    #expect(home.failure("names.correct(\(arguments))") != nil)
  }

  @Test func `is completed and explained`() {
    #expect(home.admin.state.completions(for: "names.co") == ["names.correct"])
    #expect(HelpTopic.names.isAbout("correct"))
  }
}
