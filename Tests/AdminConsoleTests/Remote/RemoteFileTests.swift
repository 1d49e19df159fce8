import AuthCore
import Foundation
import LuaRuntime
import NIOConcurrencyHelpers
import TestSupport
import Testing

@testable import AdminConsole

/// Files, secrets and standard input of a console on a server, which are those of the client.
@Suite struct `The machine of a remote admin` {
  private static let policy = """
    return policy { name = "keep", on = { "credential-already-in-use" },
      decide = function() return nil end }
    """

  @Test func `sends the text of a file that an input names`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let host = ScriptedHost(files: ["keep.lua": Array(Self.policy.utf8)])
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        ServedTransport(home).link, output: seen.output(), opening: ConsoleOpening(), host: host)
      console.enter("policy.test 'keep.lua'", seen)
      #expect(host.read == ["keep.lua"])
      let end = console.enter("policy.test 'other.lua'", seen)
      #expect(end.error?.message.contains("other.lua") == true)
      #expect(end.error?.code == "invalid-policy")
    }
  }

  @Test func `is asked before a server gets a file that no input names`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let host = ScriptedHost(
        files: ["/etc/hidden": [1], "keep.lua": Array(Self.policy.utf8)], answers: ["no", "yes"])
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        ServedTransport(home).link, output: seen.output(), opening: ConsoleOpening(), host: host)
      console.enter("policy.test('/etc/' .. 'hidden')", seen)
      #expect(host.read == [])
      console.enter("policy.test('keep' .. '.lua')", seen)
      #expect(host.read == ["keep.lua"])
      #expect(host.questions.first?.contains("/etc/hidden") == true)
    }
  }

  @Test func `a debugger on a server asks the admin, and shows where it is`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let host = ScriptedHost(
        files: ["keep.lua": Array(Self.policy.utf8)], answers: ["help", "where", "continue"])
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        ServedTransport(home).link, output: seen.output(), opening: ConsoleOpening(), host: host)
      let end = console.enter("policy.debug('keep.lua', {})", seen)
      #expect(end.error == nil, "\(seen.text)")
      #expect(host.questions == ["debug> ", "debug> ", "debug> "])
      #expect(seen.text.contains("keep.lua:") && seen.text.contains("print EXPR"))
    }
  }

  @Test func `sends a large file in parts, of which a lost answer loses none`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let pairs = (0..<150_000).map { "old-subject-\($0),new-subject-\($0)" }
      let map = Array(pairs.joined(separator: "\n").utf8)
      #expect(map.count > 4 << 20)
      let host = ScriptedHost(files: ["map.csv": map])
      let transport = ServedTransport(home)
      transport.lose { operation, count in operation == "answer" && count == 1 ? .answer : nil }
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        transport.link, output: seen.output(), opening: ConsoleOpening(), host: host)
      let end = console.enter("providers['apple.com'].rekey { map = 'map.csv' }", seen)
      #expect(end.error == nil, "\(seen.text)")
    }
  }

  @Test func `types secrets, which no output shows`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let host = ScriptedHost(secrets: ["correct horse"])
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        ServedTransport(home).link, output: seen.output(), opening: ConsoleOpening(), host: host)
      console.enter("s = secret()", seen)
      console.enter("print(s)", seen)
      console.enter("s", seen)
      #expect(!seen.text.contains("correct horse"))
      #expect(console.enter("secret()", seen).error?.message == "there is no keyboard")
    }
  }

  @Test func `has the files that a server makes`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let host = ScriptedHost()
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        ServedTransport(home).link, output: seen.output(), opening: ConsoleOpening(), host: host)
      console.enter(
        "ada = auth.signIn(providers['fake.example'].credential { subject = '1' }).account", seen)
      console.enter("open = ada.multiFactor:enroll 'totp'", seen)
      let end = console.enter("open:save 'key.txt'", seen)
      if end.error == nil {
        let written = String(decoding: host.files["key.txt"] ?? [], as: UTF8.self)
        #expect(written.hasPrefix("otpauth://totp/"))
      } else {
        Issue.record("\(seen.text)")
      }
    }
  }

  @Test func `has the files that a script saves, which replace none unless they may`() async throws
  {
    try await blocking {
      let home = try ConsoleHome()
      let host = ScriptedHost()
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        ServedTransport(home).link, output: seen.output(), opening: ConsoleOpening(), host: host)
      console.enter("accounts.create { uid = 'ada' }", seen)
      #expect(console.enter("show(accounts.find()):csv 'all.csv'", seen).error == nil)
      let text = String(decoding: host.files["all.csv"] ?? [], as: UTF8.self)
      #expect(text.contains("ada"))
      let again = console.enter("show(accounts.find()):csv 'all.csv'", seen)
      #expect(again.error?.message.contains("all.csv") == true)
      console.enter("show(1):json('all.csv', { overwrite = true })", seen)
      #expect(host.files["all.csv"] == Array("1\n".utf8))
      #expect(console.enter("merge.planAll():save 'pairs.csv'", seen).error == nil)
      #expect(host.files["pairs.csv"] != nil)
      #expect(console.enter("merge.load 'pairs.csv'", seen).error == nil, "\(seen.text)")
    }
  }

  @Test func `is asked before an account is deleted at the prompt`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let host = ScriptedHost(answers: ["n", "y", "ticket 7"])
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        ServedTransport(home).link, output: seen.output(), opening: ConsoleOpening(), host: host)
      console.enter("accounts.create { uid = 'ada' }", seen)
      let refused = console.enter("accounts.get('ada'):delete()", seen)
      #expect(refused.error?.message == "Nothing was deleted.")
      #expect(console.enter("accounts.get('ada'):delete()", seen).error == nil, "\(seen.text)")
      #expect(host.questions.count == 3 && host.questions.last == "Reason: ")
      #expect(try home.run("return audit.tail(1)[1].reason") == ["ticket 7"])
    }
  }

  @Test func `keeps its look on the server: blocks, times and its zone`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let seen = CollectedOutput()
      let output = seen.output()
      output.look.zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
      let console = try RemoteConsole(
        ServedTransport(home).link, output: output, opening: ConsoleOpening(), host: ScriptedHost())
      console.enter("set.zone()", seen)
      #expect(seen.taken().contains("Asia/Tokyo"))
      console.enter("set.zone 'UTC'", seen)
      console.enter("set.zone()", seen)
      #expect(!seen.taken().contains("Tokyo"))
      #expect(console.enter("\\timing on", seen).error == nil)
      console.enter("1 + 1", seen)
      #expect(seen.taken().contains("Time: "))
      #expect(console.enter("\\nonsense", seen).error?.message.contains("nonsense") == true)
      #expect(console.enter("\\q", seen).exit != nil)
      #expect(console.enter("set.pager 'less -S'", seen).error?.code == "operation-not-allowed")
      #expect(console.enter("tour()", seen).error?.code == "operation-not-allowed")
    }
  }

  @Test func `runs its start-up file, whose results nobody sees`() async throws {
    try await blocking {
      let home = try ConsoleHome()
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        ServedTransport(home).link, output: seen.output(), opening: ConsoleOpening(),
        host: ScriptedHost())
      try console.start(try LuaSource("mine = 7 return 'hidden'"), name: "console.lua")
      #expect(seen.taken() == "")
      console.enter("mine", seen)
      #expect(seen.taken() == "7\n")
    }
  }

  @Test func `refuses standard input where it is the code itself`() async throws {
    try await blocking {
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        ServedTransport(try ConsoleHome()).link, output: seen.output(), opening: ConsoleOpening(),
        host: ScriptedHost())
      let end = console.enter("for line in input.lines() do print(line) end", seen)
      #expect(end.error?.message.contains("Standard input is the code itself") == true)
    }
  }
}

/// A machine whose files and answers a test gives.
private final class ScriptedHost: ConsoleHost {
  private struct State {
    var files: [String: [UInt8]]
    var secrets: [String]
    var answers: [String]
    var read: [String] = []
    var questions: [String] = []
  }

  private let state: NIOLockedValueBox<State>

  init(files: [String: [UInt8]] = [:], secrets: [String] = [], answers: [String] = []) {
    state = NIOLockedValueBox(State(files: files, secrets: secrets, answers: answers))
  }

  var files: [String: [UInt8]] { state.withLockedValue(\.files) }
  var read: [String] { state.withLockedValue(\.read) }
  var questions: [String] { state.withLockedValue(\.questions) }

  func contents(of path: String, atMost limit: Int) throws(InputFile.Unreadable) -> [UInt8] {
    let bytes = state.withLockedValue { state in
      let bytes = state.files[path]
      if bytes != nil { state.read.append(path) }
      return bytes
    }
    guard let bytes else { throw InputFile.Unreadable(reason: "No such file") }
    return bytes
  }

  func create(_ path: String, _ bytes: [UInt8]) throws(AuthError) {
    state.withLockedValue { $0.files[path] = bytes }
  }

  func write(_ bytes: [UInt8], to path: String, overwrite: Bool) throws(AuthError) {
    let isThere = state.withLockedValue { state in
      guard overwrite || state.files[path] == nil else { return true }
      state.files[path] = bytes
      return false
    }
    guard !isThere else { throw AuthError(.invalidArgument, "There is a file \(path) already.") }
  }

  func secret(_ question: String, unless isInterrupted: () -> Bool) throws -> Secret<String> {
    let secret = state.withLockedValue { $0.secrets.isEmpty ? nil : $0.secrets.removeFirst() }
    guard let secret else {
      throw AuthError(.operationNotAllowed, "there is no keyboard")
    }
    return Secret(secret)
  }

  func answer(_ question: String, unless isInterrupted: () -> Bool) throws -> String {
    state.withLockedValue { state in
      state.questions.append(question)
      return state.answers.isEmpty ? "" : state.answers.removeFirst()
    }
  }

  func interruptible<Value>(_ interrupt: LuaInterrupt, _ body: () -> Value) -> Value { body() }
}
