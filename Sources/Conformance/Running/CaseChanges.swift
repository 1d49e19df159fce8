import AuthValues

/// The changes that a case made at the server, to put them back.
struct CaseChanges: Sendable {
  var created: CreatedThings
  /// The configuration from before the case, if the case changes it.
  var snapshot: ConfigurationSnapshot?
  /// The change of the settings that the case needs.
  var settings: ConfigurationChange?

  init(mark: String) {
    created = CreatedThings(mark: mark)
  }

  /// Puts everything back, as far as the server allows it; returns the number of things that are left.
  func putBack(at target: ConformanceTarget, over transport: any HTTPTransport) async -> Int {
    var left = 0
    do {
      try await settings?.undo(at: target, over: transport)
      if try await snapshot?.restore(at: target, over: transport) == false { left += 1 }
    } catch {
      left += 1
    }
    return await left + created.delete(at: target, over: transport)
  }
}
