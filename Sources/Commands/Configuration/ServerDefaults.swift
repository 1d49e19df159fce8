import AuthCore
import IdentityToolkitService

/// The settings of a server for which nothing else was chosen.
struct ServerDefaults: Sendable {
  var store = StoreLocation.sqlite(path: "\(UserDirectories.data)/accounts.db")
  var project = "default"
  /// Whether people come from elsewhere: they need an address with https, and apps need keys.
  var isPublic = true
  var logsMessages = false
  var functions = Configuration.Functions()
  var rateLimits = RateLimits()

  /// Chooses the defaults of a mode.
  init(_ mode: ServerMode) {
    guard mode == .emulator else { return }
    store = .memory
    project = "demo-project"
    isPublic = false
    logsMessages = true
    // The functions of an app that is tried out run on the same machine.
    functions.privateHosts = ["localhost", "127.0.0.1", "::1"]
    // A person who steps through a function with a debugger takes long.
    functions.timeoutSeconds = 60
    rateLimits = .none
  }
}
