import AdminConsole
import ArgumentParser
import AuthCore
import Foundation
import LuaPlugins
import LuaRuntime
import TerminalOutput

/// The options of the commands that run Lua: the files that code may write, and the start-up file.
struct ConsoleOptions: ParsableArguments {
  @Option(
    name: .customLong("allow-write"),
    help: ArgumentHelp(
      "A folder below which code may write files; repeat the option for more.",
      discussion:
        "Without it, only the console at a terminal writes files, below the folder in which it was started.",
      valueName: "folder"))
  var writableFolders: [String] = []

  @Flag(
    name: .customLong("init"), inversion: .prefixedNo,
    help: ArgumentHelp(
      "Run the start-up file, $XDG_CONFIG_HOME/authgraph/console.lua, first.",
      discussion: "Default: at a terminal only."))
  var runsStartFile: Bool?

  /// Returns this machine, with the allowed folders to write to; throws if one of them is not there.
  func host(writing folders: [String] = []) throws -> LocalHost {
    for folder in writableFolders {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder),
        isFolder.boolValue
      else {
        throw AuthError(
          .invalidArgument, "There is no folder \(folder).", field: "allow-write",
          remedy: "Make it first, or name another.")
      }
    }
    return LocalHost(writing: WritableFolders(folders + writableFolders))
  }

  /// Runs the start-up file, if there is one and it is wanted.
  ///
  /// At a terminal its error is printed, and the console opens nevertheless.
  func start(_ engine: any ConsoleEngine, isInteractive: Bool) throws {
    guard runsStartFile ?? isInteractive else { return }
    let path = "\(UserDirectories.configuration)/console.lua"
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    do {
      guard status.st_uid == getuid() || status.st_uid == 0, status.st_mode & 0o022 == 0 else {
        throw AuthError(
          .operationNotAllowed, "Others can change the start-up file \(path), so it does not run.",
          remedy: "Own it yourself, and run chmod go-w on it.")
      }
      try engine.start(try LuaSource(file: path, kind: "start-up file"), name: "console.lua")
    } catch let error as ScriptFailure where isInteractive && !error.isInterrupt {
      StandardStreams.warn("The rest of \(path) was not run. --no-init leaves it out.")
    } catch let error as AuthError where isInteractive {
      StandardStreams.warn("\(error.message) \(error.remedy ?? "")")
    }
  }
}
