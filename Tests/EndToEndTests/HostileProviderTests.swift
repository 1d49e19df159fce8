import AuthCore
import FakeVendors
import Foundation
import Testing
import TestSupport

/// Tests the console against a misbehaving `authgraph idp`: wrong tokens sign no account in.
@Suite struct `A hostile provider in the box` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Tries to sign in with tokens of a misbehaving provider.
  ///
  /// Returns the code of the error, or the account's fields, and the number of accounts.
  private func attempt(
    _ behaviors: [String], fields: String = "idToken = idToken, nonce = 'n1'"
  ) async throws -> String {
    try await blocking { [folder] in
      let provider = try RunningProvider(behaviors.flatMap { ["--hostile", $0] }, in: folder)
      let tokens = try provider.tokens()
      return try folder.lua(
        provider.configuration + """
          settings.trust("oidc.idp", "always")
          local idToken, accessToken = "\(tokens.id)", "\(tokens.access)"
          local ok, result = pcall(function()
            return auth.signIn(providers["oidc.idp"].credential { \(fields) })
          end)
          print(ok and tostring(result.account.emailVerified) or result.code, accounts.count())
          """)
    }
  }

  @Test(arguments: HostileToken.allCases.filter(\.mustBeRefused).map(\.name))
  func `a hostile ID token does not sign in`(_ name: String) async throws {
    let outcome = try await attempt([name])

    #expect(
      ["invalid-credential\t0", "missing-or-invalid-nonce\t0"].contains(outcome), "\(outcome)")
  }

  @Test(arguments: HostileToken.allCases.filter { !$0.mustBeRefused }.map(\.name))
  func `a token without a verified address verifies nothing`(_ name: String) async throws {
    let outcome = try await attempt([name])

    #expect(outcome == "false\t1")
  }

  @Test(arguments: [
    "answers-500@/keys", "answers-429@/keys", "closes-without-an-answer@/keys",
    "cuts-the-body-short@/keys", "answers-32-mb@/keys", "redirects-to-another-host@/keys",
    "answers-garbage@/keys", "does-not-speak-http@/keys", "answers-nothing@/keys",
    "answers-500", "redirects-to-another-host@/.well-known/openid-configuration",
    "discovery-issuer-wrong", "discovery-without-keys",
  ])
  func `no token signs in without the provider's keys`(_ name: String) async throws {
    let outcome = try await attempt([name])

    #expect(outcome == "network-request-failed\t0")
  }

  @Test func `an honest one signs in, and its word on an address counts`() async throws {
    let outcome = try await attempt([])

    #expect(outcome == "true\t1")
  }

  @Test func `attack 19: a profile of another person than the token's is refused`() async throws {
    let outcome = try await attempt(
      ["no-email", "profile-of-somebody-else"],
      fields: "idToken = idToken, accessToken = accessToken, nonce = 'n1'")

    #expect(outcome == "invalid-credential\t0")
  }

  @Test func `wrong callbacks and exchanges do not sign in, and an honest one does`()
    async throws
  {
    let orders = [
      ("response-issuer-missing", "the issuer did not name itself"),
      ("response-issuer-wrong", "another issuer answered"),
      ("response-state-missing", "its state is unknown"),
      ("response-state-wrong", "its state is unknown"),
      ("token-endpoint-refuses", "temporarily_unavailable"), ("omits-id-token", "gave no ID token"),
      ("algorithm-none", "signed with none"), ("nonce-wrong", "missing-or-invalid-nonce"),
      ("answers-500@/token", "network-request-failed"),
      ("redirects-to-another-host@/token", "network-request-failed"), ("", "true"),
    ]
    try await blocking { [folder] in
      let provider = try RunningProvider(in: folder)
      let terminal = try Terminal("'\(Program.path)'", in: folder, columns: 600)
      try terminal.wait(for: "authgraph>")
      try terminal.enter(
        provider.configuration.trimmingCharacters(in: .newlines), until: "configure-provider")
      for (number, (order, word)) in orders.enumerated() {
        let url = try terminal.authorizationURL(of: "oidc.idp", mark: "m\(number)")
        try provider.turn(order.isEmpty ? [] : [order])
        let back = try provider.browse(url)
        let line = try terminal.answer(
          to: "ok or r.code, r.message, accounts.count()",
          after: "local ok, r = pcall(function() return "
            + "auth.signIn(auth.callback('oidc.idp', '\(back)')) end);", mark: "end-\(number)")
        #expect(line.contains(word), "\(order): \(line)")
      }
    }
    #expect(try folder.lua("print(accounts.count())") == "1")
  }
}
