import AuthCore
import Foundation
import LuaRuntime
import Testing

@testable import AdminConsole

@Suite struct `The tour` {
  let home: ConsoleHome

  init() throws {
    home = try ConsoleHome()
    try home.run(
      """
      accounts.create { uid = "ada", displayName = "Ada Lovelace", email = "ada@example.com", emailVerified = true }
      accounts.create { uid = "ada2", displayName = "A. Lovelace" }
      accounts.create { uid = "tim", displayName = "Tim", email = "tim@example.org", password = "right-horse" }
      """)
  }

  /// Enters a line like the prompt; returns true if it did the step.
  private func does(_ step: TourStep, _ line: String) throws -> Bool {
    let state = home.admin.state
    do throws(LuaError) {
      let results = try home.admin.call(home.admin.compile(line, name: "console"))
      try home.admin.show(results)
      return step.isDone(moment(results))
    } catch {
      try state.set("lastError", to: .table(ErrorText(error).table))
      return step.isDone(moment([], error: ErrorText(error).code))
    }
  }

  private func moment(_ results: [LuaValue], error: String? = nil) -> TourMoment {
    TourMoment(
      session: home.admin.session, state: home.admin.state, results: results, errorCode: error)
  }

  @Test func `each step is done by its own lines, and by nothing before the last of them`() throws {
    #expect((8...10).contains(TourStep.all.count))
    for step in TourStep.all {
      #expect(try !does(step, "1 + 1"), "\(step.task)")
      for (place, line) in step.lines.enumerated() {
        #expect(try does(step, line) == (place == step.lines.count - 1), "\(line)")
      }
    }
  }

  @Test func `a step looks at the effect and not at the words`() throws {
    let steps = TourStep.all
    #expect(try does(steps[0], "accounts.find { displayName = 'Ada Lovelace' }"))
    #expect(try does(steps[2], "merge.plan('ada', 'ada2')"))
    #expect(try does(steps[3], "receipt = merge.plan('ada', 'ada2'):commit()"))
    #expect(try does(steps[5], "merge.undo(receipt, { reason = 'no' })"))
    #expect(try does(steps[7], "accounts.get('tim'):update { displayName = 'T.' }"))
  }

  @Test func `a rehearsal does not count`() throws {
    let step = TourStep.all[7]
    #expect(try !does(step, "accounts.get('tim'):update { displayName = 'T.', dryRun = true }"))
  }

  @Test func `texts fit 80 columns with their margin`() {
    for step in TourStep.all {
      for line in step.notice.split(separator: "\n").map(String.init) {
        #expect(line.count <= 78, "\(line)")
      }
      for line in step.lines { #expect(line.count <= 74, "\(line)") }
      #expect(step.task.count <= 70)
    }
  }

  @Test func `it begins, goes on, repeats and stops`() {
    for line in ["tour()", "tour()", "tour \"next\"", "tour()", "tour \"stop\"", "tour \"stop\""] {
      #expect(home.failure(line) == nil, "\(line)")
    }
    #expect(home.failure("tour \"back\"")?.description.contains("has no \"back\"") == true)
  }

  @Test func `it is refused in a store that is not the sample`() throws {
    try home.run("accounts.get('ada'):update { displayName = 'Somebody else' }")
    let error = ErrorText(try #require(home.failure("tour()")))
    #expect(error.code == "operation-not-allowed")
    #expect(error.line.contains("Scripts/console --sample"))
  }
}
