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

  private let source: PolicySource
  private let text: [Substring]
  private let lines: Set<Int>
  private let console: PolicyDebugger.Console
  private var mode = Mode.waiting
  private var breakpoints: Set<Int> = []
  /// The command that an empty line repeats.
  private var lastMove = DebuggerCommand.step
  private var environment: LuaReference?
  /// The error of the console that ended the decision, if one did.
  private(set) var failure: (any Error)?
  /// True after `quit`.
  private(set) var isLeft = false

  init(_ source: PolicySource, lines: Set<Int>, console: PolicyDebugger.Console) {
    self.source = source
    self.lines = lines
    self.console = console
    text = source.text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// What the script needs to be debugged.
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

  private func stops(at pause: LuaPause) -> Bool {
    switch mode {
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
      throw AuthError(
        .invalidArgument, "Line \(line) has no breakpoint.", field: "command",
        remedy: breakpoints.isEmpty
          ? "There is none." : "There are some at \(breakpoints.sorted().map(String.init).joined(separator: ", ")).")
    }
    console.show("No breakpoint at line \(line).")
  }
}

/// What is seen while a decision waits.
extension DebuggerTalk {
  private func line(_ number: Int) -> String {
    guard text.indices.contains(number - 1) else { return "" }
    return String(text[number - 1].drop(while: \.isWhitespace))
  }

  private func surroundings(of number: Int) -> String {
    let first = max(1, number - 5)
    let last = min(text.count, number + 5)
    guard first <= last else { return "" }
    let width = "\(last)".count
    return (first...last).map { line in
      let mark = line == number ? ">" : breakpoints.contains(line) ? "*" : " "
      let digits = String(repeating: " ", count: width - "\(line)".count) + "\(line)"
      return "\(mark) \(digits)  \(text[line - 1])"
    }.joined(separator: "\n")
  }

  private func frames(_ pause: LuaPause) -> String {
    let mostShown = 20
    let frames = pause.frames(atMost: mostShown).map { frame in
      let name = frame.isMain ? "the file" : frame.name ?? "a function"
      return frame.line.map { "\(source.name):\($0): \(name)" } ?? "the host: \(name)"
    }
    let rest = pause.depth - frames.count
    return (frames + (rest > 0 ? ["… and \(rest) more"] : [])).joined(separator: "\n")
  }

  private func show(_ variables: [LuaVariable], _ state: LuaState) {
    var shown: [String: String] = [:]
    var order: [String] = []
    for variable in variables {
      order.removeAll { $0 == variable.name }
      order.append(variable.name)
      shown[variable.name] = state.describe(variable.value)
    }
    guard !order.isEmpty else { return console.show("There are no variables here.") }
    console.show(order.map { "\($0) = \(shown[$0] ?? "nil")" }.joined(separator: "\n"))
  }

  /// Evaluates an expression over copies of the variables, under limits of its own, and returns its values or the error.
  private func evaluate(_ expression: String, _ pause: LuaPause, _ state: LuaState) -> String {
    do throws(LuaError) {
      let scope = state.makeEnvironment(sealed: true)
      for word in ["merge", "refuse", "oldest", "newest"] {
        guard let environment else { break }
        try state.set(word, to: state.get(word, in: environment), in: scope)
      }
      for variable in pause.variables {
        // A table that cannot be copied, because it contains itself, is not seen.
        guard let value = try? copy(of: variable.value, in: state) else { continue }
        try state.set(variable.name, to: value, in: scope)
      }
      let function = try state.load("return \(expression)\n", name: "expression", environment: scope)
      let values = try state.call(function, limits: .expression, results: .references)
      return values.isEmpty
        ? "nothing" : values.map { state.describe($0) }.joined(separator: ", ")
    } catch {
      return error.code == .syntax
        ? "\(error.message). An expression is expected; the debugger assigns nothing."
        : error.message
    }
  }

  /// A table as a copy, so that an expression cannot change the decision that waits.
  private func copy(of value: LuaValue, in state: LuaState) throws(LuaError) -> LuaValue {
    guard case .reference(let reference) = value, reference.typeName == "table" else {
      return value
    }
    return try state.value(of: reference)
  }
}

extension LuaLimits {
  /// The limits of a decision, with time for what the debugger does at each line.
  fileprivate static let debuggedPolicy = Self(
    instructions: LuaLimits.policy.instructions, cpuTime: .milliseconds(500),
    memory: LuaLimits.policy.memory)
  /// The limits of one expression.
  fileprivate static let expression = Self(
    instructions: 100_000, cpuTime: .milliseconds(50), memory: LuaLimits.policy.memory * 2)
}
