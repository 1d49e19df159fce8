import AuthCore
public import LuaPlugins

/// Reads the fixture of a plug-in, and finds errors that prevent its use and answers without a source.
public enum FixtureCheck {
  /// The finding `broken-fixture`, an error, or `missing-source`, a warning; none if the fixture is missing.
  public static func findings(beside source: PluginSource) -> [PluginFinding] {
    guard source.hasFixture else { return [] }
    do throws(AuthError) {
      let fixture = try Fixture(of: source)
      return missingSources(fixture)
    } catch {
      let name = source.fixtureName
      var message = error.message
      var line: Int?
      if message.hasPrefix(name) { message = String(message.dropFirst(name.count)) }
      if let place = message.prefixMatch(of: /:(\d+)(:\d+)/) {
        line = Int(place.1)
        message = "\(message[place.range.upperBound...]) (column \(place.2.dropFirst()))"
      }
      message = String(message.drop { ":, ".contains($0) })
      return [
        PluginFinding(
          "broken-fixture", .error, file: name, line: line, field: error.field, message,
          remedy: error.remedy ?? "Correct the fixture.")
      ]
    }
  }

  private static func missingSources(_ fixture: Fixture) -> [PluginFinding] {
    let names = fixture.scenarios.filter { $0.source == nil }.map(\.name)
    guard let first = names.first else { return [] }
    let more = names.count > 1 ? " and \(names.count - 1) more" : ""
    return [
      PluginFinding(
        "missing-source", .warning, file: fixture.name, field: "source",
        "The scenario \"\(first)\"\(more) does not say where its answers are from.",
        remedy: "Add source = { kind = recorded, documentation or implementation, where, date }.")
    ]
  }
}
