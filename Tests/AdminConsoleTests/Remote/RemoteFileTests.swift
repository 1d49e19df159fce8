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
        ServedTransport(home).link, output: seen.output(), reason: "test", host: host)
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
        ServedTransport(home).link, output: seen.output(), reason: "test", host: host)
      console.enter("policy.test('/etc/' .. 'hidden')", seen)
      #expect(host.read == [])
      console.enter("policy.test('keep' .. '.lua')", seen)
      #expect(host.read == ["keep.lua"])
      #expect(host.questions.first?.contains("/etc/hidden") == true)
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
        transport.link, output: seen.output(), reason: "test", host: host)
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
        ServedTransport(home).link, output: seen.output(), reason: "test", host: host)
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
        ServedTransport(home).link, output: seen.output(), reason: "test", host: host)
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

  @Test func `refuses standard input where it is the code itself`() async throws {
    try await blocking {
      let seen = CollectedOutput()
      let console = try RemoteConsole(
        ServedTransport(try ConsoleHome()).link, output: seen.output(), reason: "test",
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
