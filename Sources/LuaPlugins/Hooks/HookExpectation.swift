import AuthCore
import LuaRuntime

/// The answer that an example of a hook file expects.
struct HookExpectation {
  private let word: String
  private let detail: LuaValue

  init(_ value: LuaValue) throws {
    let words = ["allow", "ask", "merge"]
    if let word = value.stringValue {
      guard words.contains(word) else {
        throw ExampleMismatch(
          "there is no answer \"\(word)\"; \(suggestion(for: word, among: words))")
      }
      (self.word, detail) = (word, .nil)
      return
    }
    guard let table = value.tableValue, !table.fields.isEmpty else {
      throw ExampleMismatch(
        "the example expects nothing; give expect = \"allow\" or { refuse = … }")
    }
    let reader = ExampleReader(table, "expect")
    try reader.check(["refuse", "require", "fill"])
    guard table.fields.count == 1, let (word, detail) = table.fields.first else {
      throw ExampleMismatch("expect has more than one answer")
    }
    if word == "require" {
      let name = detail.stringValue ?? ""
      guard Requirement(named: name) != nil else {
        throw ExampleMismatch(
          "there is no requirement \"\(name)\"; \(suggestion(for: name, among: Requirement.names))")
      }
    }
    (self.word, self.detail) = (word, detail)
  }

  /// Throws if an answer is another one.
  func compare(_ answer: ChangeAnswer) throws {
    switch (word, answer) {
    case ("allow", .allow), ("ask", .ask), ("merge", .merge): return
    case ("fill", .allow(let fill?)):
      let names = detail.tableValue?.array.compactMap(\.stringValue).sorted() ?? []
      guard fill.map(\.rawValue).sorted() == names else {
        throw ExampleMismatch("filled \(fill.map(\.rawValue).sorted()), not \(names)")
      }
    case ("refuse", .refuse(let refusal)):
      guard let part = detail.stringValue, !refusal.reason.contains(part) else { return }
      throw ExampleMismatch("refused with \"\(refusal.reason)\", not \"\(part)\"")
    case ("require", .require(let requirement)):
      guard requirement.name != detail.stringValue else { return }
      throw ExampleMismatch("required \(requirement), not \(detail.stringValue ?? "")")
    case (_, .refuse(let refusal)):
      throw ExampleMismatch("refused: \(refusal.reason)")
    case (_, .require(let requirement)):
      throw ExampleMismatch("required \(requirement)")
    case (_, .allow): throw ExampleMismatch("allowed instead of \(word)")
    case (_, .ask): throw ExampleMismatch("asked instead of \(word)")
    case (_, .merge): throw ExampleMismatch("merged instead of \(word)")
    }
  }
}
