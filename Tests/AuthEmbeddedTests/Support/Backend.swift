import IdentityToolkitService

/// The connection of a client under test to an AuthGraph, and the mode of the latter.
///
/// One test body runs on all of them, over one code path of the client.
enum Backend: String, CaseIterable, Sendable, CustomStringConvertible {
  case http
  case embedded
  case httpEmulator
  case embeddedEmulator

  /// The backends that verify credentials, for features that the emulator lacks.
  static let production: [Backend] = [.http, .embedded]
  /// The backends that behave like Firebase's emulator.
  static let emulators: [Backend] = [.httpEmulator, .embeddedEmulator]

  var mode: ServerMode { isEmulator ? .emulator : .production }
  var isEmulator: Bool { self == .httpEmulator || self == .embeddedEmulator }
  /// True if there is a socket between the client and the server.
  var isRemote: Bool { self == .http || self == .httpEmulator }

  var description: String {
    "\(isRemote ? "HTTP" : "embedded"), \(isEmulator ? "emulator" : "production")"
  }
}
