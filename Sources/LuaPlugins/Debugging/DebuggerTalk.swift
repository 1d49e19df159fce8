import AuthCore
import LuaRuntime

/// Decides where a decision stops, and carries out commands while it does.
final class DebuggerTalk {
  private enum Mode {
    /// Before `decide` is called.
    case waiting
    case running
    case stepping
    /// To the next line of a call that is not deeper.
    case over(depth: Int)
  }

  let source: PolicySource
  /// The lines of the file.
  let text: [Substring]
  private let lines: Set<Int>
  let console: PolicyDebugger.Console
  private var mode = Mode.waiting
  private(set) var breakpoints: Set<Int> = []
  /// The command that an empty line repeats.
  private var lastMove = DebuggerCommand.step
  /// The environment of the file.
  private(set) var environment: LuaReference?
  /// The error of the console that ended the decision, if one did.
  private(set) var failure: (any Error)?
  /// True after `quit`.
  private(set) var isLeft = false

  init(_ source: PolicySource, lines: Set<Int>, console: PolicyDebugger.Console) {
    self.source = source
    self.lines = lines
    self.console = console
    text = source.mainText.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The tracing with which the script is debugged.
  var tracing: ScriptTracing {
    ScriptTracing(
      limits: .debuggedPolicy,
      prepare: { state, environment throws(LuaError) in
        self.environment = environment
        state.watchLines { self.goesOn(at: $0) }
      },
      decides: { self.mode = .stepping })
  }

  private func goesOn(at pause: LuaPause) -> Bool {
    if case .waiting = mode { return true }
    guard !console.isInterrupted() else {
      failure = CancellationError()
      return false
    }
    guard stops(at: pause) else { return true }
    do {
      try pause.aside { state in try talk(pause, state) }
    } catch {
      failure = error
      return false
    }
    return !isLeft
  }

  /// Tells whether to talk before a line; files that the policy includes run without a stop.
  private func stops(at pause: LuaPause) -> Bool {
    guard pause.runs(source.name) else { return false }
    return switch mode {
    case .waiting: false
    case .running: breakpoints.contains(pause.line)
    case .stepping: true
    case .over(let depth): breakpoints.contains(pause.line) || pause.depth <= depth
    }
  }

  /// Carries out commands until one of them lets the decision go on.
  private func talk(_ pause: LuaPause, _ state: LuaState) throws {
    console.show("\(source.name):\(pause.line): \(line(pause.line))")
    while true {
      guard let input = try console.ask() else {
        (mode, breakpoints) = (.running, [])
        return
      }
      do throws(AuthError) {
        let isEmpty = input.allSatisfy(\.isWhitespace)
        if try carryOut(isEmpty ? lastMove : DebuggerCommand(input), pause, state) { return }
      } catch {
        console.show([error.message, error.remedy].compactMap(\.self).joined(separator: " "))
      }
    }
  }

  /// Returns true if the decision goes on.
  private func carryOut(
    _ command: DebuggerCommand, _ pause: LuaPause, _ state: LuaState
  ) throws(AuthError) -> Bool {
    switch command {
    case .step, .next, .resume:
      lastMove = command
      mode =
        switch command {
        case .step: .stepping
        case .next: .over(depth: pause.depth)
        default: .running
        }
      return true
    case .quit:
      isLeft = true
      return true
    case .breakAt(let line): try addBreakpoint(line)
    case .clear(let line): try clear(line)
    case .locals: show(pause.variables, state)
    case .evaluate(let expression): console.show(evaluate(expression, pause, state))
    case .frames: console.show(frames(pause))
    case .source: console.show(surroundings(of: pause.line))
    case .help: console.show(DebuggerCommand.helpText)
    }
    return false
  }

  private func addBreakpoint(_ line: Int) throws(AuthError) {
    guard lines.contains(line) else {
      let next = lines.filter { $0 > line }.min()
      throw AuthError(
        .invalidArgument, "Line \(line) has no code.", field: "command",
        remedy: next.map { "Write break \($0), the next line that has." }
          ?? "Choose an earlier line.")
    }
    breakpoints.insert(line)
    console.show("Breakpoint at line \(line).")
  }

  private func clear(_ line: Int?) throws(AuthError) {
    guard let line else {
      breakpoints = []
      return console.show("No breakpoints are left.")
    }
    guard breakpoints.remove(line) != nil else {
      let list = breakpoints.sorted().map(String.init).joined(separator: ", ")
      throw AuthError(
        .invalidArgument, "Line \(line) has no breakpoint.", field: "command",
        remedy: breakpoints.isEmpty ? "There is none." : "There are some at \(list).")
    }
    console.show("No breakpoint at line \(line).")
  }
}

extension LuaLimits {
  /// The limits of a decision, with time for what the debugger does at each line.
  fileprivate static let debuggedPolicy = Self(
    instructions: LuaLimits.policy.instructions, cpuTime: .milliseconds(500),
    memory: LuaLimits.policy.memory)
}
