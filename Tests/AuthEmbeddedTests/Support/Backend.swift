import IdentityToolkitService

/// How a client under test reaches an AuthGraph, and in which mode that one runs.
///
/// One body of a test runs on every one of them, over one code path of the client's.
enum Backend: String, CaseIterable, Sendable, CustomStringConvertible {
  case http
  case embedded
  case httpEmulator
  case embeddedEmulator

  /// Those that check what they are told, for what the emulator does not have or never says.
  static let production: [Backend] = [.http, .embedded]
  /// Those that speak as Firebase's emulator does.
  static let emulators: [Backend] = [.httpEmulator, .embeddedEmulator]

  var mode: ServerMode { isEmulator ? .emulator : .production }
  var isEmulator: Bool { self == .httpEmulator || self == .embeddedEmulator }
  /// Whether there is a socket between the client and the server.
  var isRemote: Bool { self == .http || self == .httpEmulator }

  var description: String {
    "\(isRemote ? "HTTP" : "embedded"), \(isEmulator ? "emulator" : "production")"
  }
}
