import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Foundation
import HTTPClientTransport
import SQLiteStore
import Testing
import TestSupport

@Suite(.serialized) struct `A link that waits for the second factor` {
  @Test(arguments: Way.withIdentity.filter { $0 != .phone && $0 != .password })
  func `survives the challenge and a restart`(_ way: Way) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "PendingLinkTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let database = folder.appending(path: "accounts.sqlite").path
    let keyFile = folder.appending(path: "key").path
    let store = try SQLiteStore(path: database, durability: .normal)

    try await withProviders(store: store, secrets: KeyFileSealing(path: keyFile)) { home in
      let account = try await home.opened(way == .emailLink ? .appleIDToken : .emailLink, for: .bo)
      let guarded = try await home.guardWithTOTP(account.id)
      let session = home.session(account.id)
      let error = await expectError(.secondFactorRequired) {
        try await home.graph.link(
          try await home.credential(way, for: .ada), to: account.id, by: session)
      }
      let kept = try JSONEncoder().encode(try #require(error?.resolver))
      try store.close()

      let reopened = try SQLiteStore(path: database, durability: .normal)
      let transport = HTTPClientTransport()
      let restarted = try ProviderHome(
        home.vendors, home.clock, transport: transport, store: reopened,
        secrets: KeyFileSealing(path: keyFile), seed: 8)
      let resolver = try JSONDecoder().decode(SecondFactorResolver.self, from: kept)
      let result = try await restarted.resolve(resolver, guarded, by: session)

      #expect(result.account.id == account.id)
      #expect(result.receipt.action == .link)
      #expect(result.account.identity(try #require(try way.key(of: .ada))) != nil)
      #expect(result.session?.secondFactor?.id == guarded.factor.id)
      await expectError(.invalidMultiFactorSession) {
        try await restarted.resolve(resolver, guarded, by: session)
      }
      try await transport.shutdown()
      try reopened.close()
    }
  }

  @Test func `is not made at all for a phone, which could be the second factor itself`()
    async throws
  {
    try await withProviders { home in
      let account = try await home.opened(.emailLink, for: .bo)
      let guarded = try await home.guardWithTOTP(account.id)

      let error = await expectError(.unsupportedFirstFactor) {
        try await home.graph.link(
          try await home.phoneCode(for: .ada), to: guarded.id,
          by: home.session(guarded.id, secondFactor: true))
      }

      #expect(error?.resolver == nil)
      #expect(try await home.account(guarded.id).phoneNumber == nil)
    }
  }

  @Test func `attack 8: is of no use to another account's session`() async throws {
    try await withProviders { home in
      let victim = try await home.opened(.emailLink, for: .bo)
      let guarded = try await home.guardWithTOTP(victim.id)
      let attacker = try await home.opened(.emailLink, for: .named("eve"))
      let error = await expectError(.secondFactorRequired) {
        try await home.graph.link(
          try await home.credential(.googleIDToken, for: .ada), to: victim.id,
          by: home.session(victim.id))
      }
      let resolver = try #require(error?.resolver)

      for caller in [home.session(attacker.id), home.anyone] {
        await expectError(.invalidMultiFactorSession) {
          try await home.resolve(resolver, guarded, by: caller)
        }
      }

      #expect(try await home.account(victim.id).identities.count == 1)
      #expect(try await home.account(attacker.id) == attacker)
    }
  }
}
