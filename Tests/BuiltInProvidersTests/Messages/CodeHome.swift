@testable import AuthCore
import AuthTesting
import BuiltInProviders
import Testing
import TestSupport

/// A provider that sends codes, with a store, a clock and the sent messages.
struct CodeHome {
  let store = MemoryStore()
  let clock = FixedClock()
  let messages = CollectingMessageSender()
  let secrets = EphemeralSealing()
  let provider: any ChallengeIssuing
  var settings: [String: JSONValue]
  var scope = Scope(project: "shop", tenant: "berlin")

  init(_ provider: any ChallengeIssuing, _ settings: [String: JSONValue] = [:]) {
    self.provider = provider
    self.settings = settings
  }

  func context(
    account: String? = nil, sender: (any MessageSender)? = nil
  ) -> VerificationContext {
    let clock = clock
    return VerificationContext(
      scope: scope, purpose: .signIn, now: clock.now,
      settings: ProviderSettings(provider.id, settings),
      codes: OneTimeCodes(
        store: store, secrets: secrets, scope: scope, clock: { clock.now },
        random: { .random(in: .min ... .max) }),
      messages: sender ?? messages, account: account.map { AccountID($0) })
  }

  /// Requests a code, and returns the recipient's message.
  func challenge(
    _ recipient: String, account: String? = nil, continueURL: String? = nil,
    requestedFrom: String? = nil
  ) async throws -> (id: String, proof: String) {
    let challenge = try await provider.issueChallenge(
      ChallengeRequest(
        recipient: recipient, account: account.map { AccountID($0) }, continueURL: continueURL,
        requestedFrom: requestedFrom), context())
    return (challenge.verificationID, messages.last()?.proof.reveal() ?? "")
  }

  func verify(
    _ fields: [String: String], account: String? = nil
  ) async throws -> VerifiedIdentity {
    let builder = try #require(provider.manifest.builders.first)
    let credential = try builder.credential(for: provider.id, fields)
    return try await provider.verify(credential, context(account: account))
  }

  /// Commits the uses of an identity, as the graph does with the change that it causes.
  func commit(_ identity: VerifiedIdentity) async throws {
    let scope = scope
    try await store.write { writer in
      for use in identity.uses { try writer.save(use.record, in: scope) }
    }
  }

  /// Expects an ``AuthError`` with this code and a step, and without any of these secrets.
  @discardableResult
  func expect<Result>(
    _ code: AuthError.Code, hiding secrets: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Result
  ) async -> AuthError? {
    let error = await expectError(code, sourceLocation: sourceLocation, of: body)
    guard let error else { return nil }
    #expect(error.step != nil, "\(error)", sourceLocation: sourceLocation)
    for secret in secrets {
      #expect(!String(reflecting: error).contains(secret), sourceLocation: sourceLocation)
    }
    return error
  }
}

/// Six other digits.
func wrongCode(_ right: String) -> String { right == "000000" ? "000001" : "000000" }
