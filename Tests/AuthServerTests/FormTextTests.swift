import Testing

@testable import IdentityToolkitService

@Suite struct `Text of forms` {
  @Test(
    arguments: [
      ("a=b&c=d", ["a": "b", "c": "d"]), ("a=1&a=2", ["a": "2"]), ("a", ["a": ""]),
      ("a=b=c", ["a": "b=c"]), ("&&a=b&", ["a": "b"]), ("=b", ["": "b"]), ("", [:]),
      ("a+b=c%20d%2b%2B", ["a b": "c d++"]), ("n=%C3%A9%26", ["n": "é&"]), ("n=é", ["n": "é"]),
      // What is no encoding stays, but for its plus signs.
      ("a=%", ["a": "%"]), ("a=%4", ["a": "%4"]), ("a=%zz", ["a": "%zz"]), ("a=%ff", ["a": "%ff"]),
      ("a=b+c%", ["a": "b c%"]), ("a=%25%4", ["a": "%25%4"]),
    ])
  func `is read as forms are written`(text: String, wanted: [String: String]) throws {
    #expect(try FormText.parse(text, of: "The form") == wanted)
  }
}
