import AuthCore
import Testing
import TestSupport

/// The things that a plug-in may do with a secret.
@Suite struct `Secrets in plug-ins` {
  private let home = PluginHome()

  @Test(arguments: [
    "tostring(credential.token)", "string.format('%s&', credential.token)",
    "tostring(secret.join(credential.token, '&'))",
    "('x'):format(credential.token) .. credential.token",
  ])
  func `attack: a secret never becomes its mask in a request or a key`(_ text: String) async throws
  {
    let error = await expectError {
      try await home.verify("return identity { subject = hash.hmac('sha256', \(text), 'data') }")
    }

    #expect(error?.code == .pluginFailed)
  }

  @Test func `the key of OAuth 1 is joined of two secrets`() async throws {
    // HMAC-SHA-1 of "data" under "the-token-of-ada&the-token-of-ada".
    let identity = try await home.verify(
      """
      local key = secret.join(url.escape(credential.token), "&", credential.token)
      local same = hash.hmac("sha1", key, "data") == hash.hmac("sha1", KEY, "data")
      return identity { subject = same and "1" or "2" }
      """.replacing("KEY", with: "\"the-token-of-ada&the-token-of-ada\""))

    #expect(identity.key?.subject == "1")
  }

  @Test func `a digest of a joined secret is a secret text, which compares with a given one`()
    async throws
  {
    let identity = try await home.verify(
      """
      local signature = hash.md5(secret.join("a=1", credential.token), "hex")
      local same = hash.equals(signature, hash.md5("a=1the-token-of-ada", "hex"))
      return identity { subject = same and type(signature) ~= "string" and "1" or "2" }
      """)

    #expect(identity.key?.subject == "1")
  }
}
