import Foundation
import LuaRuntime
import Testing

extension Sandbox {
  /// Runs the attack "script sandbox escape and starvation".
  ///
  /// A script tries to leave its sandbox or to exhaust the machine. Each file of `Hostile/` is one trick.
  @Suite struct AttackTests {
    static let limits = LuaLimits(
      instructions: 3_000_000, cpuTime: .milliseconds(30), memory: 16 << 20)
    /// The budget, plus the time of one uninterruptible step and a full collection: 50 ms, or on a slow machine the
    /// time of the step and a quarter.
    static let most = Duration.milliseconds(30) + max(.milliseconds(50), longestStep * 5 / 4)

    /// The time of the scripts' longest uninterruptible step, which is that of `format-quote`.
    private static let longestStep: Duration = {
      do {
        let limits = LuaLimits(instructions: 100_000_000, cpuTime: .seconds(10), memory: 64 << 20)
        let state = try LuaState(profile: .policy, configuration: .init(limits: limits))
        let text = "local text = ('\\0'):rep(500000)"
        let made = try leastOf(3) { _ = try evaluate(state, text) }
        return try leastOf(3) { _ = try evaluate(state, "\(text) return #('%q'):format(text)") }
          - made
      } catch {
        return .zero
      }
    }()

    private static func leastOf(_ times: Int, _ body: () throws -> Void) rethrows -> Duration {
      try (1..<times).reduce(try threadTime(body)) { least, _ in
        try min(least, threadTime(body))
      }
    }

    @Test(arguments: [LuaProfile.policy, .plugin])
    func `script sandbox escape and starvation`(profile: LuaProfile) throws {
      let bystander = try LuaState(profile: profile, configuration: .init(limits: Self.limits))
      let state = try LuaState(profile: profile, configuration: .init(limits: Self.limits))
      #expect(HostileScript.all.count >= 45)

      for script in HostileScript.all {
        var outcome = "ended"
        // A busy machine bills this thread for the CPU time of others, so a script fails only if it is late each time.
        let time = try leastTime(atMost: Self.most) {
          do { try evaluate(state, script.source) } catch let error as LuaError {
            outcome = error.description
          }
        }
        #expect(time < Self.most, "\(script.name): \(outcome)")
        #expect(!outcome.contains("owned") && !outcome.contains("root:"), "\(script.name)")
        try expectUnharmed(state, after: script.name)
        try expectUnharmed(bystander, after: script.name)
      }
    }

    @Test func `a person can interrupt each of them in the console`() throws {
      let state = try LuaState(
        profile: .console, configuration: .init(limits: LuaLimits(memory: 16 << 20)))
      let interrupt = state.interrupt

      for script in HostileScript.all {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + .milliseconds(30), repeating: .milliseconds(30))
        timer.setEventHandler { interrupt.interrupt() }
        timer.resume()
        do { try evaluate(state, script.source) } catch is LuaError {}
        timer.cancel()
        interrupt.reset()
        // The timer may have fired once more while it was cancelled.
        usleep(200)
        interrupt.reset()
        try expectUnharmed(state, after: script.name)
      }
    }

    private func expectUnharmed(_ state: LuaState, after name: String) throws {
      let control = """
        local t = { 3, 1, 2 } table.sort(t)
        return table.concat(t, ','), (('a-b'):upper():gsub('%-', '+')), pcall(error, 'x')
        """
      let values = try evaluate(state, control)
      #expect(values == ["1,2,3", "A+B", false, "x"], "after \(name)")
    }
  }
}
