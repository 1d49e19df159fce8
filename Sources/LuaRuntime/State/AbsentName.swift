/// The names of standard Lua that the sandbox leaves out, with what takes their place.
public enum AbsentName {
  /// Returns a sentence without a period about a name that is left out; nil for any other name.
  public static func explanation(of name: String) -> String? {
    switch name {
    case "os": "the sandbox has no os; time.now() is the time"
    case "io": "the sandbox reads and writes no files"
    case "print": "log.info(text) writes a line to the log"
    case "require", "load", "loadfile", "loadstring", "dofile", "package":
      "the sandbox runs no other code than the file"
    case "debug", "collectgarbage": "the sandbox has no \(name)"
    case "unpack": "it is table.unpack"
    default: nil
    }
  }
}
