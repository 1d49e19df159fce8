import AuthCore
import AuthTesting
import BuiltInProviders
import FakeVendors
import Testing
import TestSupport

/// The address of the certificate, which an app sends, under the usual settings.
@Suite struct `The certificate of Game Center` {
  private static let apple = "https://static.gc.apple.com"

  /// Signs with a key whose certificate every address gives.
  private func verify(_ url: String, _ vendor: ScriptedVendor) async throws -> VerifiedIdentity {
    let fake = try await FakeGameCenter.start(.init(clock: { moment }))
    var fields = try fake.signature(for: .ada).fields
    let certificate = try fake.signingKey.certificate(at: moment)
    await fake.stop()
    vendor.answer(url) { _ in HTTPResponse(status: 200, body: certificate) }
    fields["publicKeyURL"] = url
    let provider = DeclaredProvider(
      .gameCenter, transport: vendor, keys: KeyCache(transport: vendor, clock: { moment }))
    return try await provider.verify(
      "player", fields,
      ProviderSettings(.gameCenter, ["bundleIDs": [.string(FakeGameCenter.bundleID)]]))
  }

  @Test(arguments: ["/public-key/gc-prod-10.cer", "/gc-sb-2.cer", "/a/b/c/d.cer"])
  func `is on Apple's own server`(_ path: String) async throws {
    let vendor = ScriptedVendor()
    let identity = try await verify(Self.apple + path, vendor)

    #expect(identity.key?.subject == FakeGameCenter.playerID(of: .ada))
    #expect(vendor.requests.map(\.url) == [Self.apple + path])
    #expect(vendor.requests.first?.privateHosts == [])
  }

  @Test(arguments: [
    "https://mallory.example/public-key/gc-prod-10.cer",
    "http://static.gc.apple.com/public-key/gc-prod-10.cer",
    "https://static.gc.apple.com.mallory.example/gc.cer",
    "https://mallory.example/static.gc.apple.com/gc.cer",
    "https://static.gc.apple.com@mallory.example/gc.cer",
    "https://static.gc.apple.com:8443/gc.cer",
    "https://static.gc.apple.com.:443/gc.cer",
    "https://evil.static.gc.apple.com/gc.cer",
    "https://sandbox.gc.apple.com/public-key/gc-sb-2.cer",
    "https://developer.apple.com/forums/gc.cer",
    "https://static.gc.apple.co\u{301}m/gc.cer",
    "https://static.gc.apple.com\u{301}/gc.cer",
    "HTTPS://static.gc.apple.com/gc.cer",
    "https://static.gc.apple.com\\@mallory.example/gc.cer",
    "https://static.gc.apple.com/../gc.cer",
    "https://static.gc.apple.com/a/../../gc.cer",
    "https://static.gc.apple.com/%2e%2e/gc.cer",
    "https://static.gc.apple.com//mallory.example/gc.cer",
    "https://static.gc.apple.com/redirect?to=https://mallory.example/gc.cer",
    "https://static.gc.apple.com/gc#.cer",
    "https://static.gc.apple.com/gc.cer\n",
    "https://static.gc.apple.com/gc.pem",
    "https://static.gc.apple.com/a/b/c/d/e.cer",
    "https://static.gc.apple.com", "file:///etc/gc.cer", "https://",
  ])
  func `attack: is at another address`(_ url: String) async throws {
    let vendor = ScriptedVendor()
    let error = await #expect(throws: AuthError.self) { try await verify(url, vendor) }

    #expect(error?.code == .invalidCredential)
    #expect(error?.field == "publicKeyURL")
    #expect(vendor.requests.isEmpty)
  }
}
