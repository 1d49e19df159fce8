import AuthCore
import Foundation
public import LuaPlugins

/// Reads the fixture beside a plug-in file, and finds errors that prevent its use.
public enum FixtureCheck {
  /// The finding `broken-fixture`, an error; none if the fixture is readable or missing.
  public static func findings(beside source: PluginSource) -> [PluginFinding] {
    guard let path = source.fixturePath, FileManager.default.fileExists(atPath: path) else {
      return []
    }
    do throws(AuthError) {
      _ = try Fixture(of: source)
      return []
    } catch {
      let name = URL(filePath: path).lastPathComponent
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
}
