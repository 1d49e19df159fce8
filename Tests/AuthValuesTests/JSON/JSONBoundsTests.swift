import Testing

@testable import AuthValues

@Suite struct `Bounds of JSON` {
  private let bounds = JSONBounds(
    3, ["users": JSONBounds(2, ["*": JSONBounds(4, ["mfaInfo": JSONBounds(1)])])])

  private func excess(_ text: String) throws -> String? {
    do throws(JSONReader.Failure) {
      _ = try JSONValue(strict: Array(text.utf8), bounds: bounds)
      return nil
    } catch {
      return try #require(error.excess, "it is no JSON").description
    }
  }

  @Test(arguments: [
    (#"{"a":1,"b":2,"c":3}"#, nil),
    (#"{"a":1,"b":2,"c":3,"d":4}"#, "/ must have at most 3 entries"),
    (#"{"users":[{},{}]}"#, nil), (#"{"users":[{},{},{}]}"#, "/users must have at most 2 entries"),
    (#"{"users":[{},{"mfaInfo":[1,2]}]}"#, "/users/1/mfaInfo must have at most 1 entries"),
    (#"{"users":[{},{"mfa_info":[1,2]}]}"#, "/users/1/mfa_info must have at most 1 entries"),
    (#"{"users":[{},{"_mfa__info":[1,2]}]}"#, "/users/1/_mfa__info must have at most 1 entries"),
    (#"{"users":{"a":1,"b":2,"c":3}}"#, "/users must have at most 2 entries"),
  ])
  func `are those of the place, in either spelling`(_ text: String, _ wanted: String?) throws {
    #expect(try excess(text) == wanted)
  }

  @Test func `are the usual ones where none are named, at every depth`() throws {
    let many = "[" + (0...100).map(String.init).joined(separator: ",") + "]"
    #expect(try excess("{\"x\":\(many)}") == "/x must have at most 100 entries")
    #expect(try excess("{\"x\":[{\"y\":\(many)}]}") == "/x/0/y must have at most 100 entries")
    let few = "[" + (0..<100).map(String.init).joined(separator: ",") + "]"
    #expect(try excess("{\"x\":\(few)}") == nil)
  }

  @Test func `let nothing be read behind an entry that is one too many`() {
    #expect(throws: JSONReader.Failure.self) {
      try JSONValue(strict: Array("[1,2,3,4, this is no JSON".utf8), bounds: bounds)
    }
    do throws(JSONReader.Failure) {
      _ = try JSONValue(strict: Array("[1,2,3,4, this is no JSON".utf8), bounds: bounds)
    } catch {
      #expect(error.excess?.bound == 3)
    }
  }

  @Test func `show no more than a part of a long name`() throws {
    let name = String(repeating: "n", count: 10_000)
    let text = try excess(
      "{\"\(name)\":[\(Array(repeating: "1", count: 101).joined(separator: ","))]}")
    #expect(text?.hasSuffix("nnnn must have at most 100 entries") == true)
    #expect((text ?? "").utf8.count < 200)
  }
}
