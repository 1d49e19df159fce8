import AuthCore
import LuaPlugins
import LuaRuntime
import SessionTokens

/// The function `help()`, which prints an overview, explains a topic or a value, or searches: `help "merge"`.
struct HelpLibrary {
  let session: ConsoleSession

  func install(in state: LuaState) throws {
    let help = state.function(named: "help") { call in
      session.output.printed(wrapping: try text(call), unless: session.isInterrupted)
      session.helpCount += 1
      return []
    }
    try state.set("help", to: .function(help))
  }

  private func text(_ call: LuaCall) throws -> String {
    switch call.typeName(1) {
    case "no value": return HelpText.overview
    case "string":
      return try HelpText.text(
        for: try call.string(1, "topic"), isOnServer: session.rights != nil)
    case "nil":
      return "  nil\n      Nothing: a search found nothing, or the variable has no value yet."
    case "function":
      guard let name = call.functionName(1) else {
        return "  a function of this session\n      Call it with name(…)."
      }
      return HelpText.text(ofFunction: name, isOnServer: session.rights != nil)
    case "table": return tableText(try call.value(1, .references).referenceValue, call.state)
    case let type:
      guard let object = (try? call.value(1))?.objectValue,
        let members = call.state.members(of: object)
      else { return "  \(type)\n      A plain value, of Lua's type \(type)." }
      return HelpText.text(of: members)
    }
  }

  private func tableText(_ table: LuaReference?, _ state: LuaState) -> String {
    guard let table else { return "  table\n      A plain table of Lua." }
    if !state.field("code", of: table).isNil, !state.field("message", of: table).isNil {
      return HelpTopic.surroundings.filter { $0.name == "lastError" }.map(\.text).joined()
    }
    let count = state.length(of: table)
    guard count > 0 else {
      return """
          x.name
              A table with fields. for name, value in pairs(x) do … end lists them.
        """
    }
    return """
        x[1]    for _, one in ipairs(x) do print(one) end
            A list of \(count). #x is its length. help(x[1]) explains its first element.
      """
  }
}

/// The texts that `help` prints.
enum HelpText {
  /// Every topic that `help` knows: the API, its surroundings, and the words of plug-in files.
  static let topics = HelpTopic.all + HelpTopic.surroundings + HelpTopic.language

  /// Returns the text of a topic, or what a search finds; throws `invalid-argument` if that is nothing.
  static func text(
    for topic: String, isOnServer: Bool = false
  ) throws(AuthError) -> String {
    if topic == "plug-in language" { return language }
    if topic == "all" { return all }
    let found = topics.filter { $0.isAbout(topic) }
    guard found.isEmpty else {
      return found.map { $0.text(isOnServer: isOnServer) }.joined(separator: "\n\n")
    }
    let results = HelpSearch.results(for: topic, in: HelpTopic.all + HelpTopic.surroundings)
    if results.count == 1 { return results[0].text(isOnServer: isOnServer) }
    guard results.isEmpty else {
      return HelpTopic.lines(results)
        + "\n\nhelp \"\(results[0].name)\" explains the first of them."
    }
    let names = topics.flatMap { [$0.name, $0.shortName] }
    throw AuthError(
      .invalidArgument, "There is no help about \"\(topic)\".", field: "topic",
      remedy: nearestName(to: topic, among: names).map { "Did you mean \"\($0)\"?" }
        ?? "Try help().")
  }

  /// Returns the text of a function of the console by its full name.
  static func text(ofFunction name: String, isOnServer: Bool = false) -> String {
    if let topic = topics.first(where: { $0.name == name }) {
      return topic.text(isOnServer: isOnServer)
    }
    let short = name.split(separator: ".").last.map(String.init) ?? name
    let found = topics.filter { $0.shortName == short }
    guard found.isEmpty else {
      return found.map { $0.text(isOnServer: isOnServer) }.joined(separator: "\n\n")
    }
    return "  \(name)(…)\n      A function of Lua 5.4 or of this session."
  }

  /// Returns the functions and fields of a library or an object.
  static func text(of members: LuaMembers) -> String {
    let own = topics.filter { $0.name == members.name }
    // The object graph and the library graph have one name.
    let names = members.functions + members.fields
    let functions = HelpTopic.all.filter {
      $0.group == members.name && $0.name != members.name
        && (members.isLibrary || names.contains($0.shortName))
    }
    var parts: [String] = []
    if own.isEmpty, !members.fields.isEmpty {
      parts.append(wrapped("Fields: " + members.fields.joined(separator: " ")))
    }
    parts += own.map(\.text)
    if !functions.isEmpty { parts.append(HelpTopic.lines(functions)) }
    if parts.isEmpty { parts = ["  \(members.name)\n      It has no fields and no functions."] }
    return parts.joined(separator: "\n\n")
  }

  private static func wrapped(_ text: String) -> String {
    var lines = [" "]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].count + word.count > 78 { lines.append("     ") }
      lines[lines.count - 1] += " \(word)"
    }
    return lines.joined(separator: "\n")
  }

  static var language: String {
    let groups = PluginWord.Group.allCases.map { group in
      let names = PluginWord.all.filter { $0.group == group }.map(\.name)
      return "  \(group.rawValue): \(names.joined(separator: ", "))"
    }
    return """
      A provider plug-in is a Lua file that ends with return provider { … }. Its words:

      \(groups.joined(separator: "\n"))

      help "http.get" explains one of them; authgraph plugin new writes a first file.
      """
  }

  /// The tasks of an admin, in one screen of 80 columns and 24 lines.
  static var overview: String {
    let tasks = HelpTask.all.map { task in
      "  " + task.sentence.padding(to: 34) + task.names.joined(separator: "  ")
    }
    return """
      Accounts and their identities, in Lua 5.4. tour() shows them on the sample.

      \(tasks.joined(separator: "\n"))

      help "merge.plan" explains one, help "csv" searches, help "all" lists them all.
      A write takes { reason = …, dryRun = true } at its end; dryRun writes nothing.
      """
  }

  /// Every function with its summary.
  static var all: String {
    var groups: [[HelpTopic]] = []
    for topic in HelpTopic.all {
      if groups.last?.last?.group == topic.group {
        groups[groups.count - 1].append(topic)
      } else {
        groups.append([topic])
      }
    }
    return (groups + [HelpTopic.surroundings]).map(HelpTopic.lines).joined(separator: "\n\n")
      + """


      help "account:link" explains one. Results are printed without return, shortened on a
      terminal and in full in a file or pipe, where print writes the bytes of strings.
      \\x prints records as blocks or lines, \\timing the time of each statement. Tab
      completes, Ctrl-C stops a script, Ctrl-D ends the console. Pasted text is taken as it
      is; a paste that ends with a newline runs until its first error.
      """
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(2, width - count))
  }
}
