import AuthValues
import IdentityToolkit
import Testing

@Suite struct `A null in a request` {
  private let fields = try? WireFields(["a": .null, "displayName": .null, "photo_url": .null])

  @Test func `is no text, no list, no object and no choice`() throws {
    let fields = try #require(fields)
    for (type, read): (PayloadType, (WireFields) throws -> Void) in [
      (.string, { _ = try $0.text("a") }), (.string, { _ = try $0.filled("a") }),
      (.string, { _ = try $0.choice("a", ["A"]) }), (.array, { _ = try $0.list("a") }),
      (.array, { _ = try $0.texts("a") }), (.array, { _ = try $0.objects("a") }),
      (.object, { _ = try $0.object("a") }),
    ] {
      #expect(throws: WireError.mistyped("/a", type, .null)) { try read(fields) }
    }
  }

  @Test func `is a flag or a number that was not sent, and a name or a picture`() throws {
    let fields = try #require(fields)
    #expect(try fields.bool("a") == nil)
    #expect(try fields.integer("a") == nil)
    #expect(try fields.text("displayName") == nil)
    #expect(try fields.text("photoUrl") == nil)
    #expect(fields.has("a"))
    #expect(WireFields.nullable == ["displayName", "photoUrl"])
  }
}
