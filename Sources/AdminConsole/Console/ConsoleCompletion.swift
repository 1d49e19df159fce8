import AuthCore
import LuaRuntime

/// Completes globals, methods, the fields of a credential, and the arguments of a function: file names, provider IDs and
/// the names of options, as its ``HelpTopic`` has them.
struct ConsoleCompletion {
  let state: LuaState
  let session: ConsoleSession

  private var providers: ProviderRegistry { session.graph.providers }

  /// Returns the whole words that may replace the text from `start` up to the cursor.
  func candidates(_ line: String, _ cursor: Int) -> (start: Int, candidates: [String]) {
    let before = Array(line.utf8.prefix(cursor))
    if let fields = credentialFields(before) { return fields }
    if let command = backslashCommand(before) { return command }
    if let context = InputContext(before), context.kind != .index {
      let found = argument(context, before)
      // A string holds no expression; a table does.
      if context.kind == .string || found?.candidates.isEmpty == false {
        return found ?? (cursor, [])
      }
    }
    let text = String(decoding: before, as: UTF8.self)
    let start = LuaState.completionStart(in: text)
    guard start < before.count else { return (cursor, []) }
    return (start, state.completions(for: text))
  }

  /// Returns the names and values of backslash commands.
  private func backslashCommand(_ text: [UInt8]) -> (start: Int, candidates: [String])? {
    guard text.first == UInt8(ascii: "\\") else { return nil }
    let words = String(decoding: text, as: UTF8.self)
      .split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard let last = words.last, words.count <= 2 else { return (text.count, []) }
    let known =
      words.count == 1
      ? BackslashCommand.all.map(\.shown)
      : BackslashCommand.all.first { $0.shown == words[0] }?.values.map(\.word) ?? []
    return (text.count - last.utf8.count, known.filter { $0.hasPrefix(last) })
  }

  /// Returns what may stand at a place inside an argument.
  private func argument(
    _ context: InputContext, _ text: [UInt8]
  ) -> (start: Int, candidates: [String])? {
    let beginning = String(decoding: text[context.start...], as: UTF8.self)
    let arguments = topics(of: context.callee).compactMap { topic -> HelpTopic.Argument? in
      guard context.argument <= topic.arguments.count else { return nil }
      return topic.arguments[context.argument - 1].entry(context.path)
    }
    let found = arguments.flatMap { candidates($0, context, beginning) }
    return found.isEmpty ? nil : (context.start, Set(found).sorted())
  }

  /// Returns the topics of a function; a method of an unknown object may be of any type.
  private func topics(of callee: String) -> [HelpTopic] {
    // A provider stands in brackets or behind a dot: `providers["apple.com"].rekey`, `providers.phone.rekey`.
    if callee.hasPrefix("providers"), callee.hasSuffix(".rekey") {
      return HelpTopic.all.filter { $0.name == "providers.rekey" }
    }
    guard let colon = callee.lastIndex(of: ":") else {
      return HelpTopic.all.filter { $0.name == callee }
    }
    let method = callee[callee.index(after: colon)...]
    if let type = type(of: String(callee[..<colon])) {
      return HelpTopic.all.filter { $0.name == "\(type):\(method)" }
    }
    return HelpTopic.all.filter { $0.name.hasSuffix(":\(method)") }
  }

  /// Returns the type of the object to which a global variable refers; nil if it cannot be known without running code.
  private func type(of receiver: String) -> String? {
    Self.results[receiver] ?? object(receiver)?.type
  }

  /// The types that functions return.
  private static let results = [
    "accounts.get()": "account", "accounts.create()": "account", "merge.plan()": "plan",
    "merge.planOffer()": "plan", "merge.planAll()": "mergeList", "merge.load()": "mergeList",
    "account:split()": "transfer", "account:move()": "transfer", "merge.batch()": "mergeBatch",
    "show()": "shown",
  ]

  private func object(_ receiver: String) -> LuaObject? {
    guard receiver.utf8.allSatisfy(\.isPartOfName) else { return nil }
    return state.get(receiver).objectValue
  }

  private func candidates(
    _ argument: HelpTopic.Argument, _ context: InputContext, _ beginning: String
  ) -> [String] {
    switch (argument, context.kind) {
    case (.table(let names, _), .name):
      return names.filter { $0.hasPrefix(beginning) && !context.given.contains($0) }
        .map { "\($0) = " }
    // The files of a server are not the admin's.
    case (.file(let endings), .string) where session.rights == nil:
      return FileNames(endings: endings).completing(beginning)
    case (.choice(let known), .string): return known.filter { $0.hasPrefix(beginning) }
    case (.provider, .string): return providerIDs().filter { $0.hasPrefix(beginning) }
    case (.linkedProvider, .string):
      let receiver = context.callee.split(separator: ":").first.map(String.init) ?? ""
      let handle = object(receiver)?.value as? AccountHandle
      let linked = handle?.current(session).account?.identities.map(\.provider.rawValue)
      return (linked ?? providerIDs()).filter { $0.hasPrefix(beginning) }
    default: return []
    }
  }

  private func providerIDs() -> [String] {
    let settings = try? session.wait { try await $0.settings(of: $1) }
    return providers.ids.map(\.rawValue) + (settings.map { Array($0.providers.keys) } ?? [])
  }

  /// Returns the fields of credentials, inside `providers["google.com"].credential { idT`.
  private func credentialFields(_ text: [UInt8]) -> (start: Int, candidates: [String])? {
    if let settings = settingFields(text) { return settings }
    guard let open = text.lastIndex(of: UInt8(ascii: "{")),
      !text[open...].contains(UInt8(ascii: "}"))
    else { return nil }
    let head = String(decoding: text[..<open], as: UTF8.self)
    guard let match = head.lastMatch(of: "providers[\""),
      let end = head[match...].firstIndex(of: "\""),
      head[end...].drop(while: { "\"]() ".contains($0) }).hasPrefix(".credential"),
      let manifest = providers[ProviderID(String(head[match..<end]))]?.manifest
    else { return nil }
    var start = text.count
    while start > open + 1, text[start - 1].isPartOfName { start -= 1 }
    let prefix = String(decoding: text[start...], as: UTF8.self)
    let names = Set(manifest.builders.flatMap(\.fields).map(\.name))
    return (start, names.filter { $0.hasPrefix(prefix) }.sorted().map { "\($0) = " })
  }

  /// Returns the provider's settings, inside `providers.configure("google.com", { cli`.
  private func settingFields(_ text: [UInt8]) -> (start: Int, candidates: [String])? {
    let head = String(decoding: text, as: UTF8.self)
    guard let match = head.lastMatch(of: "providers.configure(\""),
      let end = head[match...].firstIndex(of: "\""),
      let manifest = providers[ProviderID(String(head[match..<end]))]?.manifest,
      head[end...].count(where: { $0 == "{" }) == head[end...].count(where: { $0 == "}" }) + 1
    else { return nil }
    var start = text.count
    while start > 0, text[start - 1].isPartOfName { start -= 1 }
    let prefix = String(decoding: text[start...], as: UTF8.self)
    let names = manifest.configuration.map(\.name) + WriteOptions.names
    return (start, names.filter { $0.hasPrefix(prefix) }.sorted().map { "\($0) = " })
  }
}

extension HelpTopic.Argument {
  /// Returns what may stand at a place inside a table; nil if that is not known.
  fileprivate func entry(_ path: [String]) -> HelpTopic.Argument? {
    guard let name = path.first else { return self }
    guard case .table(_, let values) = self else { return nil }
    return values[name]?.entry(Array(path.dropFirst()))
  }
}

extension String {
  /// Returns the index after the last occurrence of a mark.
  fileprivate func lastMatch(of mark: String) -> Index? {
    var found: Index?
    var rest = self[...]
    while let range = rest.firstRange(of: mark) {
      found = range.upperBound
      rest = rest[range.upperBound...]
    }
    return found
  }
}
