import AuthCore
import Foundation
import LuaRuntime
import TerminalOutput

/// The `set` library: the form in which this console shows things.
///
/// Nothing of it is stored.
struct SetLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    let (session, look) = (session, session.output.look)
    var set = LuaLibrary(name: "set")
    set.function("expanded") { call in
      try one(call, { try look.setExpanded($0) }, look.records.rawValue)
    }
    set.function("pager") { call in
      guard session.rights == nil else {
        throw AuthError(
          .operationNotAllowed, "The pager runs on your machine, where a server chooses nothing.",
          remedy: "Open the console with another PAGER: PAGER=cat authgraph console --server …")
      }
      let current = if case .command(let command) = look.pager { command } else { "off" }
      return try one(call, { try look.setPager($0) }, current)
    }
    set.function("timing") { call in
      try one(call, { try look.setTiming($0) }, look.isTiming ? "on" : "off")
    }
    set.function("zone") { call in
      try one(call, { try look.setZone($0) }, look.zone.shownName)
    }
    try state.set("set", to: state.library(set))
  }

  /// Sets a value, or returns the current one if no other is given.
  private func one(
    _ call: LuaCall, _ change: (String) throws -> Void, _ current: String
  ) throws -> [LuaValue] {
    guard call.count == 1 else { return [.string(current)] }
    try change(try call.string(1, "value"))
    return []
  }
}

extension ConsoleLook {
  func setExpanded(_ value: String) throws(AuthError) {
    let known = TerminalProfile.RecordLayout.allCases
    guard let layout = TerminalProfile.RecordLayout(rawValue: value) else {
      throw Self.refused("expanded", value, known.map(\.rawValue))
    }
    records = layout
  }

  func setTiming(_ value: String) throws(AuthError) {
    guard ["on", "off"].contains(value) else { throw Self.refused("timing", value, ["on", "off"]) }
    isTiming = value == "on"
  }

  /// Sets the pager: a command line, `off`, or `on` for the usual one.
  func setPager(_ value: String) throws(AuthError) {
    switch value {
    case "off": pager = .none
    case "on": pager = Pager.Choice.usual
    case _ where value.allSatisfy(\.isWhitespace):
      throw Self.refused("pager", value, ["off", "on", "less -S"])
    default: pager = .command(value)
    }
  }

  func setZone(_ value: String) throws(AuthError) {
    guard let zone = value.isEmpty ? nil : Self.zone(named: value) else {
      let near = nearestName(to: value, among: ["UTC"] + TimeZone.knownTimeZoneIdentifiers)
      throw AuthError(
        .invalidArgument, "There is no time zone \"\(value)\".", field: "zone",
        remedy: near.map { "Did you mean \"\($0)\"?" }
          ?? "Write a name such as \"Europe/Paris\" or \"UTC\".")
    }
    self.zone = zone
  }

  private static func refused(_ name: String, _ value: String, _ known: [String]) -> AuthError {
    AuthError(
      .invalidArgument, "\(name) cannot be \"\(value)\".", field: name,
      remedy: "Write \(known.map { "\"\($0)\"" }.joined(separator: " or ")).")
  }
}
