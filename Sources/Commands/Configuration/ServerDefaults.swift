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

  /// Whether tokens are signed with keys that the store has.
  var signsTokens = true
  /// What is said of a file that was found in the current folder, behind its name.
  var noticeOfFile = ("AuthGraph reads", "of this folder.")

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
    signsTokens = false
    // An emulator, too, takes its store and keys from it.
    noticeOfFile = (
      "The emulator reads",
      "of this folder: store, project, keys and plug-ins are as that says. "
        + "Start it in another folder, or with --config, to leave that file out."
    )
  }
}
