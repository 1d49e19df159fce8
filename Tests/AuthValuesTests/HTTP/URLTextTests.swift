import AuthValues
import Testing

@Suite struct `Texts of URLs` {
  @Test func `a query is read as a form: a plus is a space, an escaped one is a plus`() {
    let query = URLText.query(of: "https://app.example/?name=Ada+L&sum=1%2B1&caf%C3%A9=%26")
    #expect(query == ["name": "Ada L", "sum": "1+1", "café": "&"])
  }

  @Test(arguments: ["+", "a b&c=d", "%2B", "é\n"])
  func `a written query is read again`(_ text: String) {
    let url = URLText.adding([("field", text)], to: "https://app.example/")
    #expect(URLText.query(of: url) == ["field": text])
  }

  @Test(
    arguments: [
      ("a=b&c=d", ["a": "b", "c": "d"]), ("a=1&a=2", ["a": "2"]), ("a", ["a": ""]),
      ("a=b=c", ["a": "b=c"]), ("&&a=b&", ["a": "b"]), ("=b", ["": "b"]), ("", [:]),
      ("a+b=c%20d%2b%2B", ["a b": "c d++"]), ("n=%C3%A9%26", ["n": "é&"]), ("n=é", ["n": "é"]),
      // A malformed encoding stays, except for its plus signs.
      ("a=%", ["a": "%"]), ("a=%4", ["a": "%4"]), ("a=%zz", ["a": "%zz"]), ("a=%ff", ["a": "%ff"]),
      ("a=b+c%", ["a": "b c%"]), ("a=%25%4", ["a": "%25%4"]),
    ])
  func `a form is read as forms are written`(text: String, wanted: [String: String]) {
    let fields = URLText.fields(of: text).map { ($0.name, $0.value) }
    #expect(Dictionary(fields, uniquingKeysWith: { _, last in last }) == wanted)
  }

  @Test func `fields keep their order, and may be counted before they are read`() {
    let fields = URLText.fields(of: "b=1&a=2&&b=3")
    #expect(fields.map(\.name) == ["b", "a", "b"])
    #expect(fields.map(\.value) == ["1", "2", "3"])
    #expect(URLText.fields(of: "b=1&a=2&&b=3", atMost: 3)?.count == 3)
    #expect(URLText.fields(of: "b=1&a=2&&b=3", atMost: 2) == nil)
  }

  @Test func `a repeated name means nothing, and so do two empty fields`() {
    #expect(URLText.uniqueFields(of: "a=1&b=2") == ["a": "1", "b": "2"])
    #expect(URLText.uniqueFields(of: "a=1&") == ["a": "1", "": ""])
    for form in ["a=1&a=1", "a=1&%61=2", "&&a=1"] {
      #expect(URLText.uniqueFields(of: form) == nil, "\(form)")
      #expect(URLText.query(of: "https://app.example/?\(form)") == nil, "\(form)")
    }
    #expect(URLText.query(of: "https://app.example/?") == [:])
    #expect(URLText.query(of: "https://app.example/") == nil)
  }
}
