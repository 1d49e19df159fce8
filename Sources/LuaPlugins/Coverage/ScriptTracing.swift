import LuaRuntime

/// The additions of a tool to the runs of a policy's file: coverage, or the debugger.
///
/// Policies in use have none, and no script can reach it.
struct ScriptTracing {
  /// The limits of each run.
  let limits: LuaLimits
  /// Prepares the state and the environment of the file before it is compiled.
  let prepare: (_ state: LuaState, _ environment: LuaReference) throws(LuaError) -> Void
  /// Called before each call of `decide`, after the file itself has run.
  var decides: () -> Void = {}
}

extension LuaLimits {
  /// The limits of a policy that a tool watches: the same memory, and time for what the tool adds.
  static let watchedPolicy = Self(
    instructions: 2_000_000, cpuTime: .milliseconds(500), memory: LuaLimits.policy.memory * 2)
}
