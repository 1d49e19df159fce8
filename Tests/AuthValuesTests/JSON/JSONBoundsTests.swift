import Testing
import TestSupport

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

  /// A text, and the words about the entry that is one too many.
  typealias Bounded = TableRow<String, String?>

  @Test(arguments: [
    Bounded("three members", #"{"a":1,"b":2,"c":3}"#, nil),
    Bounded("four members", #"{"a":1,"b":2,"c":3,"d":4}"#, "/ must have at most 3 entries"),
    Bounded("two users", #"{"users":[{},{}]}"#, nil),
    Bounded("three users", #"{"users":[{},{},{}]}"#, "/users must have at most 2 entries"),
    Bounded(
      "two factors", #"{"users":[{},{"mfaInfo":[1,2]}]}"#,
      "/users/1/mfaInfo must have at most 1 entries"),
    Bounded(
      "two factors in the other spelling", #"{"users":[{},{"mfa_info":[1,2]}]}"#,
      "/users/1/mfa_info must have at most 1 entries"),
    Bounded(
      "two factors with more underscores", #"{"users":[{},{"_mfa__info":[1,2]}]}"#,
      "/users/1/_mfa__info must have at most 1 entries"),
    Bounded(
      "an object in place of the list", #"{"users":{"a":1,"b":2,"c":3}}"#,
      "/users must have at most 2 entries"),
  ])
  func `are those of the place, in either spelling`(_ row: Bounded) throws {
    #expect(try excess(row.input) == row.expected)
  }

  @Test func `are the usual ones by default, at every depth`() throws {
    let many = "[" + (0...100).map(String.init).joined(separator: ",") + "]"
    #expect(try excess("{\"x\":\(many)}") == "/x must have at most 100 entries")
    #expect(try excess("{\"x\":[{\"y\":\(many)}]}") == "/x/0/y must have at most 100 entries")
    let few = "[" + (0..<100).map(String.init).joined(separator: ",") + "]"
    #expect(try excess("{\"x\":\(few)}") == nil)
  }

  @Test func `end the reading at the first entry beyond them`() {
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
