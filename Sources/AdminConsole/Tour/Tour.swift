import AuthCore
import LuaRuntime

/// The tutorial of the console: it says what to type, looks at what each input did, and goes on.
final class Tour {
  private let session: ConsoleSession
  private let steps: [TourStep]
  /// The position of the present step; nil if the tour is not on.
  private var position: Int?
  /// The number of inputs since the step began or was last repeated.
  private var inputs = 0
  /// True during the input that called `tour`, which does not count.
  private var wasCalled = false

  /// The number of inputs after which the step is repeated.
  private static let patience = 3

  init(session: ConsoleSession, steps: [TourStep] = TourStep.all) {
    self.session = session
    self.steps = steps
  }

  /// Begins the tour, or repeats the present step.
  func begin() throws {
    wasCalled = true
    if position == nil {
      try checkSample()
      say(
        "A tour in \(steps.count) steps, of about ten minutes. Type what it says, or anything else:\n"
          + "tour \"next\" goes on, tour() repeats a step, tour \"stop\" ends.")
      position = 0
    }
    show()
  }

  /// Goes on without the present step.
  func goOn() throws {
    guard position != nil else { return try begin() }
    wasCalled = true
    advance()
  }

  /// Ends the tour.
  func stop() {
    wasCalled = true
    say(position == nil ? "There is no tour to stop. tour() begins one." : "The tour has ended.")
    position = nil
  }

  /// Looks at what an input did, and goes on if that was the present step.
  func look(at moment: @autoclosure () -> TourMoment) {
    defer { wasCalled = false }
    guard let position, !wasCalled else { return }
    inputs += 1
    if steps[position].isDone(moment()) {
      say(steps[position].notice)
      advance()
    } else if inputs.isMultiple(of: Self.patience) {
      say("The tour waits at step \(position + 1): tour() repeats it, tour \"next\" goes on.")
    }
  }

  private func advance() {
    let next = (position ?? 0) + 1
    guard next < steps.count else {
      position = nil
      return say("That was the tour. help() lists tasks; exit or Ctrl-D leaves the console.")
    }
    position = next
    show()
  }

  private func show() {
    guard let position else { return }
    inputs = 0
    session.helpCount = 0
    let step = steps[position]
    say(
      "\(position + 1) of \(steps.count). \(step.task)\n\n"
        + step.lines.map { "    \($0)" }.joined(separator: "\n"))
  }

  private func say(_ text: String) {
    session.output.printed(
      "\n"
        + text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n") + "\n")
  }

  /// Throws unless the session is on the sample, as it was imported: the tour changes accounts.
  private func checkSample() throws {
    guard session.rights == nil else {
      throw AuthError(
        .operationNotAllowed, "The tour changes accounts, so no server has one.",
        remedy: "Open a sample on your machine with Scripts/console --sample, and type tour().")
    }
    let isSample = try session.wait { graph, scope in
      guard try await graph.accountCount(in: scope) <= 20 else { return false }
      for (uid, name) in [("ada", "Ada Lovelace"), ("ada2", "A. Lovelace"), ("tim", "Tim")] {
        let account = try await graph.account(AccountID(uid), in: scope)
        guard let account, account.id.rawValue == uid, account.displayName == name else {
          return false
        }
      }
      return true
    }
    guard isSample else {
      throw AuthError(
        .operationNotAllowed, "The tour changes accounts, so it runs on a fresh sample alone.",
        remedy: "Leave with exit, open one with Scripts/console --sample, and type tour().")
    }
  }
}

/// The function `tour()`: `tour "next"`, `tour "stop"`.
struct TourLibrary {
  let tour: Tour
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    // The state must not keep itself alive through the tour.
    let tour = tour
    let function = state.function(named: "tour") { call in
      switch try call.optionalString(1, "step") {
      case nil: try tour.begin()
      case "next": try tour.goOn()
      case "stop": tour.stop()
      case let other?:
        throw AuthError(
          .invalidArgument, "The tour has no \"\(other)\".", field: "step",
          remedy: "Write tour(), tour \"next\" or tour \"stop\".")
      }
      return []
    }
    try state.set("tour", to: .function(function))
  }
}
