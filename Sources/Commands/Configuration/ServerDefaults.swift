import AuthCore
import IdentityToolkitService

/// The default settings of a server.
struct ServerDefaults: Sendable {
  var store = StoreLocation.sqlite(path: "\(UserDirectories.data)/accounts.db")
  var project = "default"
  /// True if clients come from other machines: the server then needs an https address, and apps need keys.
  var isPublic = true
  var logsMessages = false
  var functions = Configuration.Functions()
  var rateLimits = RateLimits()

  /// True if tokens are signed with keys of the store.
  var signsTokens = true
  /// True if accounts may come from a folder of exported ones, and go to one.
  var takesFolders = false
  /// The notice about a file that was found in the current folder: the words before and after its name.
  var noticeOfFile = ("AuthGraph reads", "of this folder.")

  /// Chooses the defaults of a mode.
  init(_ mode: ServerMode) {
    guard mode == .emulator else { return }
    store = .memory
    project = "demo-project"
    isPublic = false
    logsMessages = true
    // During development, the functions of an app run on the same machine.
    functions.privateHosts = ["localhost", "127.0.0.1", "::1"]
    // A person who steps through a function with a debugger takes long.
    functions.timeoutSeconds = 60
    rateLimits = .none
    signsTokens = false
    takesFolders = true
    // The file determines the store and keys of an emulator, too.
    noticeOfFile = (
      "The emulator reads",
      "of this folder, which determines store, project, keys and plug-ins. "
        + "To ignore that file, start in another folder or with --config."
    )
  }
}
