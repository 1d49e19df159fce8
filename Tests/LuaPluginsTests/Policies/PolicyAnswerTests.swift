import AuthCore
import LuaPlugins
import Testing

@Suite struct `Answers of a policy that leave both accounts as they are` {
  private static let merge = "merge { into = conflict.existing, from = conflict.current }"

  private static func answer(
    _ body: String, _ change: (inout MergeConflict) -> Void = { _ in }
  ) throws -> MergeAnswer {
    var conflict = try PolicyBench.conflict()
    change(&conflict)
    return try LuaMergePolicy(PolicyBench.source(body)).decide(conflict)
  }

  private static func isMerge(_ answer: MergeAnswer) -> Bool {
    if case .merge = answer { true } else { false }
  }

  @Test(arguments: [
    ("require 'second factor'", Requirement.secondFactor),
    ("require 'recent login'", .recentLogin(seconds: nil)),
    ("require('recent login', { seconds = 60 })", .recentLogin(seconds: 60)),
    ("require 'verified address'", .verifiedAddress),
    ("require 'approval'", .approval),
  ])
  func `a requirement that is not met is the answer`(word: String, requirement: Requirement) throws
  {
    #expect(try Self.answer("return \(word) or \(Self.merge)") == .require(requirement))
    // The answer at once is the same one.
    let policy = try LuaMergePolicy(PolicyBench.source("return \(word) or \(Self.merge)"))
    #expect(try policy.decideAtOnce(PolicyBench.conflict()) == .require(requirement))
  }

  @Test func `a requirement that is met is nil, so that the merge is the answer`() throws {
    let all = """
      return require "second factor" or require("recent login", { seconds = 60 })
        or require "verified address" or \(Self.merge)
      """
    let met = try Self.answer(all) { conflict in
      var current = conflict.current
      current.emailVerified = true
      conflict = MergeConflict(
        code: conflict.code, current: current, existing: conflict.existing,
        provider: conflict.provider, proof: conflict.proof,
        decidedAt: Timestamp(milliseconds: 60_000))
      conflict.session = ConflictSession(
        signedInAt: Timestamp(milliseconds: 0), secondFactor: true)
    }
    #expect(Self.isMerge(met))
  }

  @Test func `a sign-in is recent up to the seconds, and that of a visitor always`() throws {
    func ask(_ milliseconds: Int64, isAnonymous: Bool = false) throws -> MergeAnswer {
      try Self.answer("return require 'recent login' or \(Self.merge)") { conflict in
        var current = conflict.current
        current.isAnonymous = isAnonymous
        conflict = MergeConflict(
          code: conflict.code, current: current, existing: conflict.existing,
          provider: conflict.provider, proof: conflict.proof,
          decidedAt: Timestamp(milliseconds: milliseconds))
        conflict.session = ConflictSession(
          signedInAt: Timestamp(milliseconds: 0), recentSeconds: 10)
      }
    }
    #expect(try Self.isMerge(ask(10_000)))
    #expect(try ask(10_001) == .require(.recentLogin(seconds: nil)))
    #expect(try Self.isMerge(ask(10_001, isAnonymous: true)))
  }

  @Test func `a review is the answer until an admin approves`() throws {
    let body = "return review 'both are old' or \(Self.merge)"
    #expect(try Self.answer(body) == .review("both are old"))
    #expect(Self.isMerge(try Self.answer(body) { $0.isApproved = true }))
    // A file that names no merge leaves the choice to the admin.
    #expect(
      try Self.answer("return review 'both are old'") { $0.isApproved = true }
        == .review("both are old"))
    #expect(
      try Self.answer("return require 'approval'") { $0.isApproved = true } == .require(.approval))
  }

  @Test func `ask leaves the choice to the person who is signed in to both`() throws {
    let body = "return ask() or \(Self.merge)"
    guard case .refuse(let refusal) = try Self.answer(body) else {
      Issue.record("It merged.")
      return
    }
    #expect(refusal.code == "choose-survivor" && refusal.place == "test.lua:4")
    #expect(Self.isMerge(try Self.answer(body) { $0.operation = .merge }))
    #expect(Self.isMerge(try Self.answer(body) { $0.isApproved = true }))
  }

  @Test func `a refusal has a code for the app beside its reason`() throws {
    let answer = try Self.answer("return refuse('staff', { code = 'staff-2' })")
    #expect(answer == .refuse(MergeRefusal("staff", code: "staff-2")))
    #expect(answer != .refuse("staff"))
    // The code stays if the script reads its answer.
    #expect(
      try Self.answer("local no = refuse('staff', { code = 'a' }) local _ = no.reason return no")
        == .refuse(MergeRefusal("staff", code: "a")))
    #expect(
      try Self.answer(
        """
        return merge { into = conflict.current, from = conflict.existing, fields = {
          displayName = function() return refuse('no', { code = 'name' }) end } }
        """) == .refuse(MergeRefusal("no", code: "name")))
  }

  @Test func `PF6: a reason is bounded, whatever is put into it`() throws {
    for body in ["return refuse(('é'):rep(2000))", "return review(('é'):rep(2000))"] {
      let text: String
      switch try Self.answer(body) {
      case .refuse(let refusal): text = refusal.reason
      case .review(let reason): text = reason
      default: throw Unexpected()
      }
      #expect(text.utf8.count <= 303 && text.hasSuffix("…"), "\(text.utf8.count)")
    }
  }

  private struct Unexpected: Error {}

  @Test(arguments: [
    ("require 'second fctor'", "Did you mean \"second factor\"?"),
    ("require('second factor', { seconds = 7 })", "seconds belongs to \"recent login\""),
    ("require('recent login', { seconds = 0 })", "seconds is a whole number"),
    ("require('recent login', { sconds = 5 })", "Did you mean \"seconds\"?"),
    ("refuse('no', { code = 'Staff!' })", "code has up to 40"),
    ("refuse('no', { cod = 'staff' })", "Did you mean \"code\"?"),
    ("review()", "(reason)"),
  ])
  func `a word that is wrong is an error with its line`(word: String, problem: String) throws {
    let message = try PolicyBench.failure("return \(word)")
    #expect(message.contains(problem) && message.hasPrefix("test.lua:4: "), "\(message)")
  }

  @Test func `a word that asks has a conflict only in decide`() throws {
    let source = PolicySource(
      name: "test.lua",
      text: """
        local early = review "too early"
        return policy { name = "t", on = { "email-already-in-use" }, decide = function() end }
        """)
    let error = try #require(throws: AuthError.self) { try LuaMergePolicy(source) }
    #expect(error.message.contains("review is called outside of decide"), "\(error)")
  }

  @Test func `nil is no answer if nothing was waived`() throws {
    #expect(try PolicyBench.failure("return nil").contains("returned nil"))
    let error = try #require(throws: AuthError.self) {
      try Self.answer("return require 'second factor'") { $0.session.secondFactor = true }
    }
    #expect(error.message.contains("returned nil"))
  }
}
