import LuaRuntime

/// The lines and branches that the runs of one script reach.
final class CoverageRecorder {
  private let file: String
  private(set) var lines: Set<Int> = []
  private var ways: [Int: Set<Bool>] = [:]
  /// The loops that a `break` is leaving.
  private var left: Set<Int> = []

  /// Makes a recorder of the file of that name; files that it includes are not recorded.
  init(of file: String) { self.file = file }

  /// Tells whether a branch went a way.
  func has(_ number: Int, been way: Bool) -> Bool { ways[number]?.contains(way) ?? false }

  /// The tracing that records a script; `word` is the function of a text with calls at its branches.
  func tracing(_ word: String?) -> ScriptTracing {
    ScriptTracing(limits: .watchedPolicy) { state, environment throws(LuaError) in
      state.watchLines { pause in
        if pause.runs(self.file) { self.lines.insert(pause.line) }
        return true
      }
      guard let word else { return }
      let function = state.yieldingFunction(named: word) { call in
        self.note(Int(clamping: try call.integer(1)), call.isTruthy(2))
        return .arguments([2])
      }
      try state.set(word, to: .function(function), in: environment)
    }
  }

  /// Notes a way.
  ///
  /// A negative number is a `break`, after which the loop has not come to its end.
  private func note(_ number: Int, _ way: Bool) {
    if number < 0 {
      left.insert(-number)
    } else if way || left.remove(number) == nil {
      ways[number, default: []].insert(way)
    }
  }
}
