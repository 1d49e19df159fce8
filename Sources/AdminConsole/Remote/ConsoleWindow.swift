import AuthCore
import Foundation
import TerminalOutput

/// The terminal or files of a client, for which a server lays out what it sends.
struct ConsoleWindow: Sendable {
  /// The destination of results.
  var results: TerminalProfile
  /// The destination of notices, errors and progress.
  var notices: TerminalProfile

  init(results: TerminalProfile, notices: TerminalProfile) {
    self.results = results
    self.notices = notices
  }

  /// The zone of the times that the admin types and sees.
  var zone: TimeZone { results.zone }

  /// Reads a window; without one, results go to a file.
  init(_ json: JSONValue?) {
    self.init(
      results: TerminalProfile(json?["results"]), notices: TerminalProfile(json?["notices"]))
  }

  var json: JSONValue { ["results": results.json, "notices": notices.json] }
}

extension TerminalProfile {
  private static let widest = 10_000

  fileprivate init(_ json: JSONValue?) {
    self.init(
      isTerminal: json?["isTerminal"] == true,
      width: json?["width"]?.count.map { min(max($0, Self.narrowest), Self.widest) },
      supportsColor: json?["color"] == true)
    zone = ConsoleLook.zone(named: json?["zone"]?.stringValue) ?? .gmt
  }

  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "isTerminal": .bool(isTerminal), "color": .bool(supportsColor),
      "zone": .string(zone.identifier),
    ]
    if isBounded { members["width"] = .integer(Int64(width)) }
    return .object(members)
  }
}
