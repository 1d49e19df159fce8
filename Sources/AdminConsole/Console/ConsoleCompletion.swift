import AuthCore
import LuaRuntime

/// Completes globals, methods, provider IDs and the fields of a credential being written.
struct ConsoleCompletion {
  let state: LuaState
  let providers: ProviderRegistry

  /// Returns the whole words that may replace the text from `start` up to the cursor.
  func candidates(_ line: String, _ cursor: Int) -> (start: Int, candidates: [String]) {
    let before = Array(line.utf8.prefix(cursor))
    if let fields = credentialFields(before) { return fields }
    let text = String(decoding: before, as: UTF8.self)
    let start = LuaState.completionStart(in: text)
    guard start < before.count else { return (cursor, []) }
    return (start, state.completions(for: text))
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
    while start > open + 1, Self.isName(text[start - 1]) { start -= 1 }
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
    while start > 0, Self.isName(text[start - 1]) { start -= 1 }
    let prefix = String(decoding: text[start...], as: UTF8.self)
    let names = manifest.configuration.map(\.name) + WriteOptions.names
    return (start, names.filter { $0.hasPrefix(prefix) }.sorted().map { "\($0) = " })
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
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
