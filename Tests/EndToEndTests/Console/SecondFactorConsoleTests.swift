import AuthCore
import BuiltInProviders
import Foundation
import Testing
import TestSupport

/// Second factors, as an admin manages them in the console.
@Suite(.serialized) struct `Second factors in the console` {
  let folder: TemporaryFolder
  let terminal: Terminal

  init() throws {
    folder = try TemporaryFolder()
    terminal = try Terminal(
      "'\(Program.path)' --rehearsal-provider fake.example", in: folder, columns: 140)
    try terminal.wait(for: "authgraph>")
    try terminal.enter(
      "ada = auth.signIn(providers['fake.example'].credential { subject = '1' }).account; print('made')",
      until: "\nmade")
  }

  /// Returns the code that an authenticator app would show in `seconds` seconds.
  private func code(_ keyFile: String, in seconds: Int64) throws -> String {
    let uri = try folder.read(keyFile)
    let secret = try #require(
      URLComponents(string: uri.trimmingCharacters(in: .newlines))?
        .queryItems?.first { $0.name == "secret" }?.value)
    return try #require(
      HMACTOTP().code(for: Secret(secret), at: Timestamp.now().adding(seconds: seconds)))
  }

  @Test func `an app is enrolled, asked for at sign-in, and taken away`() throws {
    try terminal.enter("open = ada.multiFactor:enroll 'totp'", until: "> open =")
    try terminal.enter("open", until: "enrollment of a totp factor")
    try terminal.enter("open:save '\(folder.path)/key.txt'", until: "key.txt'")
    #expect(try permissions(of: "\(folder.path)/key.txt") == 0o600)
    try terminal.enter("open:finish '\(try code("key.txt", in: 0))'", until: "enroll-second-factor")
    try terminal.enter("#ada.multiFactor.enrolledFactors", until: "\n1")
    try terminal.enter(
      "r = auth.signIn(providers['fake.example'].credential { subject = '1' })", until: "> r =")
    try terminal.enter("r", until: "1  totp")
    try terminal.enter("r:resolve '000000'", until: "invalid-verification-code")
    try terminal.enter("done = r:resolve '\(try code("key.txt", in: 30))'", until: "> done =")
    try terminal.enter("done.account.uid == ada.uid", until: "\ntrue")
    try terminal.enter("why(done.receipt)", until: "shown")
    try terminal.enter("ada.multiFactor:recover()", until: "invalid-argument (reason)")
    try terminal.enter(
      "ada.multiFactor:recover { reason = 'seen' }", until: "unenroll-second-factor")
    try terminal.enter("ada.multiFactor", until: "no second factors")
    let shown = try terminal.screen()
    let uri = try folder.read("key.txt")
    let secret = try #require(uri.firstMatch(of: /secret=([A-Z2-7]+)/)?.1)
    #expect(!shown.contains(secret), "the app's secret was printed")
  }

  @Test func `a phone gets its codes, and a pending link goes on`() throws {
    try terminal.enter(
      "open = ada.multiFactor:enroll { phoneNumber = '+15555550123' }", until: "second-factor to")
    try terminal.enter("open:finish '\(try sentCode())'", until: "enroll-second-factor")
    try terminal.clear()
    try terminal.enter(
      "r = auth.signIn(providers['fake.example'].credential { subject = '1' })", until: "> r =")
    try terminal.enter("r.hints", until: "+*******0123")
    try terminal.enter("r:resolve '123456'", until: "resolver:challenge(1)")
    try terminal.clear()
    try terminal.enter("r:challenge(1)", until: "second-factor to")
    try terminal.enter("r:resolve('\(try sentCode())').isNewUser", until: "\nfalse")
    try terminal.enter("ada.multiFactor:unenroll(2)", until: "multi-factor-info-not-found")
    try terminal.enter("ada.multiFactor:unenroll(1)", until: "unenroll-second-factor")
  }

  @Test func `the key is written to a new file only`() throws {
    _ = try folder.write("taken.txt", "mine")
    try terminal.enter("open = ada.multiFactor:enroll 'totp'", until: "> open =")
    try terminal.enter("open:save '\(folder.path)/taken.txt'", until: "invalid-argument (path)")
    #expect(try folder.read("taken.txt") == "mine")
  }

  @Test func `the history keeps no line that gives a secret`() throws {
    try terminal.enter(
      "providers.configure('google.com', { clientSecret = 'hush-4417' })",
      until: "configure-provider")
    try terminal.enter("print('kept-4418')", until: "\nkept-4418")
    try terminal.leave()
    try terminal.wait(for: "[left with 0]")
    let history = try folder.read(".local/state/authgraph/history")
    #expect(history.contains("kept-4418"))
    #expect(!history.contains("hush-4417"))
  }

  private func sentCode() throws -> String {
    let match = try terminal.screen().matches(of: /second-factor to \+15555550123: (\d{6})/).last
    return String(try #require(match?.1))
  }
}
