import AuthCore
import LuaRuntime

/// The view of a decision that waits.
extension DebuggerTalk {
  func line(_ number: Int) -> String {
    guard text.indices.contains(number - 1) else { return "" }
    return String(text[number - 1].drop(while: \.isWhitespace))
  }

  func surroundings(of number: Int) -> String {
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

  func frames(_ pause: LuaPause) -> String {
    let mostShown = 20
    let frames = pause.frames(atMost: mostShown).map { frame in
      let name = frame.isMain ? "the file" : frame.name ?? "a function"
      return frame.line.map { "\(source.name):\($0): \(name)" } ?? "the host: \(name)"
    }
    let rest = pause.depth - frames.count
    return (frames + (rest > 0 ? ["… and \(rest) more"] : [])).joined(separator: "\n")
  }

  func show(_ variables: [LuaVariable], _ state: LuaState) {
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

  /// Evaluates an expression over copies of the variables, under limits of its own; returns its values or the error.
  func evaluate(_ expression: String, _ pause: LuaPause, _ state: LuaState) -> String {
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
      let text = "return \(expression)\n"
      let function = try state.load(text, name: "expression", environment: scope)
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
  /// The limits of one expression.
  fileprivate static let expression = Self(
    instructions: 100_000, cpuTime: .milliseconds(50), memory: LuaLimits.policy.memory * 2)
}
