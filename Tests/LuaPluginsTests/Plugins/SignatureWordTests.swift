import AuthCore
import AuthTesting
import LuaPlugins
import Testing
import TestSupport

/// The library `verify`, on keys and signatures of OpenSSL.
@Suite struct `Signatures over bytes` {
  let home = PluginHome()

  /// Signs in as the text that an expression of Lua gives.
  private func result(of expression: String) async throws -> String {
    let decoded = """
      local text = "\(SignedBytes.text)"
      local rsaKey, rsa, pss = base64.decode "\(SignedBytes.rsaKey)",
        base64.decode "\(SignedBytes.rsaPKCS1)", base64.decode "\(SignedBytes.rsaPSS)"
      local certificate = base64.decode "\(SignedBytes.certificate)"
      local weakKey, weak = base64.decode "\(SignedBytes.weakKey)",
        base64.decode "\(SignedBytes.weakPKCS1)"
      local ecKey, ec = base64.decode "\(SignedBytes.p256Key)",
        base64.decode "\(SignedBytes.p256DER)"
      local edKey, edBytes, ed = base64.decode "\(SignedBytes.edKey)",
        base64.decode "\(SignedBytes.edBytes)", base64.decode "\(SignedBytes.edSignature)"
      """
    return try await home.verify(
      "\(decoded)\nreturn identity { subject = tostring((\(expression))) }"
    ).key?.subject ?? ""
  }

  private static let right = [
    "verify.rsa(rsaKey, text, rsa)",
    "verify.rsa(rsaKey, text, rsa, { hash = 'sha256', padding = 'pkcs1' })",
    "verify.rsa(rsaKey, text, pss, { hash = 'sha512', padding = 'pss' })",
    "verify.rsa(certificate, text, rsa)",
    """
    verify.rsa('-----BEGIN CERTIFICATE-----\\n'
      .. base64.encode(certificate):gsub('(' .. ('.'):rep(64) .. ')', '%1\\n')
      .. '\\n-----END CERTIFICATE-----\\n', text, rsa)
    """,
    "verify.ecdsa(ecKey, text, ec)", "verify.ecdsa(ecKey, text, ec, { form = 'der' })",
    "verify.ed25519(edKey, text, ed)", "verify.ed25519(edBytes, text, ed)",
    "verify.ed25519({ kty = 'OKP', crv = 'Ed25519', x = base64.encodeURL(edBytes) }, text, ed)",
    "verify.ed25519(json.encode { kty = 'OKP', crv = 'Ed25519', x = base64.encodeURL(edBytes) }, text, ed)",
  ]

  @Test(arguments: right)
  func `a right signature is true, for each form of key`(_ call: String) async throws {
    #expect(try await result(of: call) == "true")
  }

  private static let wrong = [
    "verify.rsa(rsaKey, text .. '!', rsa)", "verify.rsa(rsaKey, text, pss)",
    "verify.rsa(rsaKey, text, rsa, { padding = 'pss' })",
    "verify.rsa(rsaKey, text, rsa, { hash = 'sha512' })", "verify.rsa(rsaKey, text, '')",
    "verify.rsa(rsaKey, text, rsa .. 'x')", "verify.rsa(ecKey, text, rsa)",
    "verify.ecdsa(rsaKey, text, rsa)", "verify.ecdsa(ecKey, text, ec, { form = 'raw' })",
    "verify.ecdsa(ecKey, text, ec, { hash = 'sha384' })", "verify.ecdsa(ecKey, '', ec)",
    "verify.ed25519(edKey, text, ed:sub(1, 63) .. '\\0\\0')", "verify.ed25519(ecKey, text, ec)",
  ]

  @Test(arguments: wrong)
  func `attack: a signature of another text, key or method is false`(_ call: String) async throws {
    #expect(try await result(of: call) == "false")
  }

  private static let unusable = [
    "verify.rsa(weakKey, text, weak)", "verify.rsa('', text, rsa)", "verify.rsa('x', text, rsa)",
    "verify.rsa(text, text, rsa)", "verify.rsa(certificate .. 'x', text, rsa)",
    "verify.rsa({ kty = 'oct', k = 'AAAA' }, text, rsa)", "verify.rsa({}, text, rsa)",
    "verify.rsa(('x'):rep(20000), text, rsa)",
    "verify.ed25519({ kty = 'OKP', crv = 'Ed25519', x = base64.encodeURL(edBytes), use = 'enc' }, text, ed)",
    "verify.ed25519({ kty = 'OKP', crv = 'Ed25519', x = base64.encodeURL(edBytes), d = 'AAAA' }, text, ed)",
  ]

  @Test(arguments: unusable)
  func `attack: a weak, private or malformed key verifies nothing`(_ call: String) async throws {
    #expect(try await result(of: call) == "nil")
  }

  @Test func `attack: a certificate is no key outside its validity`() async throws {
    home.clock.set(Timestamp(milliseconds: 1_600_000_000_000))
    #expect(try await result(of: "verify.rsa(certificate, text, rsa)") == "nil")
    home.clock.set(Timestamp(milliseconds: 2_600_000_000_000))
    #expect(try await result(of: "verify.rsa(certificate, text, rsa)") == "nil")
  }

  @Test(arguments: [
    "verify.rsa(rsaKey, text, rsa, { hash = 'sha1' })",
    "verify.rsa(rsaKey, text, rsa, { hash = 'md5' })",
    "verify.rsa(rsaKey, text, rsa, { padding = 'none' })",
    "verify.rsa(rsaKey, text, rsa, { pading = 'pss' })", "verify.rsa(rsaKey, text)",
    "verify.ecdsa(ecKey, text, ec, { form = 'p1363' })",
    "verify.ed25519(edKey, text, ed, { a = 1 })",
    "verify.dsa(rsaKey, text, rsa)", "verify.rsa(nil, text, rsa)",
  ])
  func `a wrong argument is a mistake of the plug-in`(_ call: String) async {
    let error = await expectError(.pluginFailed) { try await result(of: call) }

    #expect(error != nil)
  }

  @Test func `attack: signatures are paid from the budget`() async {
    let error = await expectError(.pluginFailed) {
      try await result(of: "(function() while true do verify.rsa(rsaKey, text, rsa) end end)()")
    }

    #expect(error != nil && home.log.text.contains("stopped"))
  }

  @Test func `nothing is verified while a file is being read`() {
    let error = #expect(throws: AuthError.self) {
      try home.provider("verify.rsa('a', 'b', 'c')\nreturn provider { id = 'a', name = 'A' }")
    }

    #expect(error?.code == .invalidPlugin)
  }
}
