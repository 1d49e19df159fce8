/// The app's script that decides on changes of who owns what: links, unlinks, merges, their undos, and conflicts at
/// sign-ins.
///
/// It is pure like a ``MergePolicy``: values in, an answer out. A script that fails refuses the change.
public protocol ChangeHook: Sendable {
  /// The script's name and version, for the trace.
  var version: String { get }
  /// The kinds of events for which the script has a function.
  var kinds: Set<ChangeEvent.Kind> { get }

  /// Answers an event, or throws if the script fails.
  func answer(_ event: ChangeEvent) throws -> ChangeAnswer

  /// Answers an event like ``answer(_:)`` while other writers wait; nil if that might take more than a millisecond.
  ///
  /// After nil, the graph calls ``answer(_:)`` outside the transaction.
  func answerAtOnce(_ event: ChangeEvent) throws -> ChangeAnswer?
}

/// Compiles stored scripts of hooks, and may cache them.
public protocol ChangeHookCompiler: Sendable {
  /// Compiles a script, or throws `invalid-policy` with the line at fault.
  func hook(_ source: PolicySource) throws(AuthError) -> any ChangeHook

  /// Returns a script from the cache; nil if it is not there.
  func known(_ source: PolicySource) -> (any ChangeHook)?
}

extension ChangeHookCompiler {
  /// Returns a script within a budget; nil if it would have to be compiled while other writers wait.
  func hook(
    _ source: PolicySource, within budget: ScriptBudget
  ) throws(AuthError) -> (any ChangeHook)? {
    budget == .instant ? known(source) : try hook(source)
  }
}

/// The answer of a script to a change.
public enum ChangeAnswer: Sendable, Hashable {
  /// Allows the change; a link then fills these fields of the profile, or those of the settings if nil.
  case allow(fill: Set<FilledField>?)
  /// Refuses the change.
  case refuse(MergeRefusal)
  /// Refuses the change until the client meets a requirement.
  case require(Requirement)
  /// Answers a sign-in with the conflict, so that the client can link after a proof of the other account; a sign-up is
  /// always answered so.
  case ask
  /// Lets a sign-in enter the other account, if the provider's word on the address counts; never a sign-up.
  case merge

  /// A field of the profile that a link may fill.
  public enum FilledField: String, Sendable, Hashable, CaseIterable {
    /// The display name.
    case displayName
    /// The URL of the picture.
    case photoURL
  }
}

/// No script of hooks.
struct NoChangeHooks: ChangeHookCompiler {
  func hook(_ source: PolicySource) throws(AuthError) -> any ChangeHook { NoChangeHook() }
  func known(_ source: PolicySource) -> (any ChangeHook)? { NoChangeHook() }
}

private struct NoChangeHook: ChangeHook {
  let version = ""
  let kinds: Set<ChangeEvent.Kind> = []
  func answer(_ event: ChangeEvent) throws -> ChangeAnswer { .allow(fill: nil) }
  func answerAtOnce(_ event: ChangeEvent) throws -> ChangeAnswer? { .allow(fill: nil) }
}
