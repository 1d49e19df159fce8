/// One word of the language of provider plug-ins: a field of a file, or a function that its functions may call.
///
/// It is the single source of the console's `help` and of the reference in the documentation.
public struct PluginWord: Sendable, Hashable {
  /// The section of the reference.
  public enum Group: String, Sendable, CaseIterable {
    case declaration = "Declaration"
    case oauth2 = "kind = \"oauth2\""
    case oidc = "kind = \"oidc\""
    case custom = "kind = \"custom\""
    case answers = "Answering"
    case fetching = "Fetching"
    case tokens = "Tokens"
    case values = "Hashes, addresses and other values"
  }

  /// The section of the reference.
  public let group: Group
  /// The word itself.
  public let name: String
  /// The forms in which it is written.
  public let forms: [String]
  /// The description.
  public let about: String

  init(_ group: Group, _ name: String, forms: [String], _ about: String) {
    self.group = group
    self.name = name
    self.forms = forms
    self.about = about
  }
}

extension PluginWord {
  /// Every word, in the order in which an author needs them.
  public static let all =
    declaration + contract + oauth2 + oidc + custom + answers + fetching + tokens + values

  /// The reference as Markdown.
  public static var markdown: String {
    let groups = Group.allCases.map { group in
      let words = all.filter { $0.group == group }.map { word in
        "### \(word.name)\n\n```lua\n\(word.forms.joined(separator: "\n"))\n```\n\n\(word.about)"
      }
      return "## \(group.rawValue)\n\n" + words.joined(separator: "\n\n")
    }
    return """
      # The language of provider plug-ins

      Every word that a plug-in file may use.

      ## Overview

      A plug-in is one Lua 5.4 file that ends with `return provider { … }`. It runs in a sandbox with
      `string`, `table`, `math`, `utf8` and the basic functions, without `io`, `os`, `require` or `load`.

      Each sign-in runs the file in a new Lua state, so nothing carries over from one person to the next. Globals
      cannot be written, and reading an undefined name is an error. `time.now()` is the time of the sign-in.
      `math.random` gets a new seed for each sign-in, which is predictable only in `plugin test`.

      Each function has 30 ms of CPU time and 16 MB of memory. One sign-in has 20 s in all, 10 requests of up to 10 s
      and 256 KiB each, and 20 lines of log, which `plugin test` shows.

      The console prints the entries of this page: `help "http.get"`.


      """ + groups.joined(separator: "\n\n") + "\n"
  }
}
