import AuthValues
import Testing

@Suite struct `Parts of compact tokens` {
  @Test func `a token is taken apart and put together`() throws {
    let header = Array(Base64.url.text(#"{"alg":"none"}"#.utf8).utf8)
    let signedPart = TokenParts.signedPart(header: header, claims: Array(#"{"sub":"1"}"#.utf8))
    let text = TokenParts.text(signedPart: signedPart, signature: [1, 2, 3])

    let parts = try #require(TokenParts(text))
    #expect(TokenParts.object(parts.header) == ["alg": "none"])
    #expect(TokenParts.object(parts.payload) == ["sub": "1"])
    #expect(Base64.url.bytes(of: parts.signature) == [1, 2, 3])
    #expect(Array(parts.signedPart) == signedPart)
  }

  @Test func `a part may be empty`() throws {
    let parts = try #require(TokenParts(".."))
    #expect(parts.header.isEmpty && parts.payload.isEmpty && parts.signature.isEmpty)
    #expect(String(decoding: parts.signedPart, as: UTF8.self) == ".")
  }

  @Test(arguments: ["", "a", "a.b", "a.b.c.d", "..."])
  func `another number of parts is no token`(text: String) {
    #expect(TokenParts(text) == nil)
  }

  @Test(arguments: ["", "[]", "1", "{", #"{"a":1,"a":2}"#])
  func `a part without an object of unique members has none`(json: String) throws {
    let parts = try #require(TokenParts("\(Base64.url.text(json.utf8)).."))
    #expect(TokenParts.object(parts.header) == nil)
  }
}
