import AuthCore
import Testing

@Suite struct `Texts of URLs` {
  @Test func `a query is read as a form: a plus is a space, an escaped one is a plus`() {
    let query = URLText.query(of: "https://app.example/?name=Ada+L&sum=1%2B1&caf%C3%A9=%26")
    #expect(query == ["name": "Ada L", "sum": "1+1", "café": "&"])
  }

  @Test(arguments: ["+", "a b&c=d", "%2B", "é\n"])
  func `what is written is read again`(_ text: String) {
    let url = URLText.adding([("field", text)], to: "https://app.example/")
    #expect(URLText.query(of: url) == ["field": text])
  }
}
