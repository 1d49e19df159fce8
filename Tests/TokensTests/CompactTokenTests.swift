import AuthCore
import Testing
import Tokens

@Suite struct `Compact tokens` {
  @Test func `a token is taken apart and put together`() throws {
    let made = CompactToken(
      header: #"{"alg":"none"}"#, payload: #"{"sub":"1"}"#, signature: [1, 2])

    let read = try #require(CompactToken(made.text))

    #expect(read == made)
    #expect(read.headerMembers == ["alg": "none"])
    #expect(read.claims == ["sub": "1"])
    #expect(read.signature == [1, 2])
    #expect("\(read.signedText).AQI" == made.text)
  }

  @Test(arguments: ["", "[]", "1", "{", #"{"a":1,"a":2}"#])
  func `a part without an object of unique members has none`(json: String) throws {
    let token = CompactToken(header: json, payload: json)
    #expect(token.headerMembers == nil)
    #expect(token.claims == nil)
    #expect(token.payload == json)
  }

  @Test(arguments: ["", "a", "a.b", "a.b.c.d", "...", "%.%.%", "AA==.AA.AA", "AA.AA.AB"])
  func `a text in another spelling is no token`(text: String) {
    #expect(CompactToken(text) == nil)
  }

  @Test func `a token that is too large is not read`() {
    let token = CompactToken(header: "{}", payload: String(repeating: "a", count: 20_000)).text
    #expect(CompactToken(token) == nil)
    #expect(CompactToken(token, maximumBytes: 64 << 10) != nil)
  }
}
