import Foundation
import Testing

@Suite struct ObjectiveCNamesTests {
  private let sources: ObjectiveCSources

  init() throws {
    sources = try ObjectiveCSources()
  }

  /// The listed names by type.
  private var listed: [String: Set<String>] {
    var listed: [String: Set<String>] = [:]
    var type = ""
    for word in objectiveCNames.split(whereSeparator: \.isWhitespace).map(String.init) {
      if word.hasPrefix("FIR") || word.hasPrefix("AG") { type = word }
      if word == type { listed[type, default: []] = [] } else { listed[type]?.insert(word) }
    }
    return listed
  }

  @Test func `Objective-C finds every listed name and no other`() throws {
    let members = try sources.members()
    #expect(Set(members.keys) == Set(listed.keys))
    for (type, names) in listed {
      #expect(members[type]?.subtracting(names) == [], "\(type) has more names")
      #expect(names.subtracting(members[type] ?? []) == [], "\(type) lacks names")
    }
  }

  @Test func `outside the folder of names a condition names one type and nothing else`() {
    for file in sources.rest {
      let code = file.code
      for (index, line) in code.enumerated() where line == ObjectiveCSources.condition {
        let part = code[index...].prefix(3).map(\.self)
        #expect(part.last == "#endif" && part[1].hasPrefix("@objc("), "\(file.name):\(index + 1)")
      }
      // A delegate's function for certificates has the name that its protocol gives it.
      guard !file.text.hasPrefix("#if canImport(Security)") else { continue }
      #expect(
        code.count { $0.contains("@objc") } == code.count { $0 == ObjectiveCSources.condition },
        "\(file.name) has a name for Objective-C outside of a condition")
      #expect(!file.text.contains("@objcMembers"), "\(file.name)")
    }
  }

  @Test func `a file of names is one condition`() {
    for file in sources.names {
      #expect(file.text.hasPrefix(ObjectiveCSources.condition + "\n"), "\(file.name)")
      #expect(file.text.hasSuffix("\n#endif\n"), "\(file.name)")
      #expect(file.code.count { $0.hasPrefix("#") } == 2, "\(file.name)")
    }
    #expect(sources.names.count > 10)
  }

  /// A name that is not public is missing from the header; a visible one would stand twice in Swift.
  @Test func `names are public for Objective-C and hidden from Swift`() {
    for file in sources.names {
      let code = file.code
      for (index, line) in code.enumerated() {
        if line.hasPrefix("extension ") {
          #expect(code[index - 1] == "@available(swift, obsoleted: 1)", "\(file.name):\(index + 1)")
        }
        if line.hasPrefix("@objc(") {
          let declaration = code[index...].prefix(3).first { $0.contains("public ") }
          #expect(declaration != nil, "\(file.name):\(index + 1)")
        }
      }
    }
  }
}
