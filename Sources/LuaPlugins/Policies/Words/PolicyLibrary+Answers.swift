import AuthCore
import LuaRuntime

/// The words for answers that leave both accounts as they are: `refuse`, `require`, `review` and `ask`.
///
/// `require`, `review` and `ask` return nil if nothing is left to wait for, so that `return require "second factor" or
/// merge { … }` reads as it works.
extension PolicyLibrary {
  func installAnswers() throws(LuaError) {
    try add("refuse") { [parts] call in
      let options = try call.optionalTable(2, "options") ?? LuaTable()
      try Self.refuseUnknown(Array(options.fields.keys), among: ["code"], of: "refuse", call)
      let code = options["code"]
      guard code.isNil || code.stringValue.map(Self.isCode) == true else {
        throw call.argumentError(2, "code has up to 40 lower-case letters, digits and hyphens")
      }
      return PolicyAnswer.refuse(
        Self.bounded(try call.string(1, "reason")), code: code.stringValue,
        place: PolicyPlace(call, in: parts)
      ).outcome
    }
    try add("require") { [current] call in
      let requirement = try Self.requirement(call)
      guard let conflict = current.conflict else { throw Self.noConflict(call) }
      guard !requirement.isMet(in: conflict) else {
        _ = current.unlessApproved(.require(requirement))
        return .values([.nil])
      }
      return PolicyAnswer.require(requirement).outcome
    }
    try add("review") { [current] call in
      let reason = Self.bounded(try call.string(1, "reason"))
      guard current.conflict != nil else { throw Self.noConflict(call) }
      guard case .review(let reason)? = current.unlessApproved(.review(reason)) else {
        return .values([.nil])
      }
      return PolicyAnswer.review(reason).outcome
    }
    try add("ask") { [current, parts] call in
      guard let conflict = current.conflict else { throw Self.noConflict(call) }
      // A person who merges two accounts of their own has chosen the one to keep; so has an admin.
      guard conflict.operation == .link, !conflict.isApproved else { return .values([.nil]) }
      return PolicyAnswer.refuse(
        "the person chooses which account stays: sign in to both, and merge them",
        code: "choose-survivor", place: PolicyPlace(call, in: parts)
      ).outcome
    }
  }

  /// The longest reason in bytes; a client and the audit get it.
  static let longestReason = 300

  private static func bounded(_ reason: String) -> String {
    let cut = TextBounds(bytes: longestReason).cut(reason)
    return cut.utf8.count < reason.utf8.count ? cut + "…" : cut
  }

  private static func isCode(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
  }

  private static func requirement(_ call: LuaCall) throws -> Requirement {
    let name = try call.string(1, "requirement")
    let options = try call.optionalTable(2, "options") ?? LuaTable()
    try refuseUnknown(Array(options.fields.keys), among: ["seconds"], of: "require", call)
    let seconds = options["seconds"].integerValue
    guard options["seconds"].isNil || seconds.map({ (1...100_000_000).contains($0) }) == true else {
      throw call.argumentError(2, "seconds is a whole number from 1 to 100,000,000")
    }
    guard let requirement = Requirement(named: name, seconds: seconds) else {
      throw call.argumentError(
        1, "nothing is called \"\(name)\"; \(suggestion(for: name, among: Requirement.names))")
    }
    if seconds != nil, requirement.name != "recent login" {
      throw call.argumentError(2, "seconds belongs to \"recent login\"")
    }
    return requirement
  }

  private static func noConflict(_ call: LuaCall) -> LuaArgumentError {
    LuaArgumentError("\(call.name) is called outside of decide")
  }
}

/// The file and line of a call in a policy.
struct PolicyPlace: Hashable {
  /// The included file; nil for the policy itself.
  let file: String?
  let line: Int

  init?(_ call: LuaCall, in parts: PolicyBundle) {
    guard let line = call.line else { return nil }
    self.line = line
    file = parts.includedName(call.script)
  }

  init?(file: String?, line: Int64?) {
    guard let line else { return nil }
    (self.file, self.line) = (file, Int(clamping: line))
  }

  /// The place in the form `FILE:LINE`.
  func text(of policy: String) -> String { "\(file ?? policy):\(line)" }
}
