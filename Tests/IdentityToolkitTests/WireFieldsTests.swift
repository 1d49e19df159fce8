import AuthValues
import IdentityToolkit
import Testing

@Suite struct WireFieldsTests {
  @Test func `names come in snake case or camel case`() throws {
    let fields = try WireFields(["return_secure_token": true, "idToken": "x"])
    #expect(try fields.bool("returnSecureToken") == true)
    #expect(try fields.text("idToken") == "x")
  }

  @Test func `a number is taken for a text, and digits for a number`() throws {
    let fields = try WireFields(["localId": 7, "validSince": "1700000000", "maxResults": 20])
    #expect(try fields.text("localId") == "7")
    #expect(try fields.integer("validSince") == 1_700_000_000)
    #expect(try fields.integer("maxResults") == 20)
  }

  @Test func `a value of another type is refused with its path`() throws {
    let fields = try WireFields([
      "email": ["a"], "phoneEnrollmentInfo": ["phoneNumber": [:]], "localId": [true],
    ])
    #expect(throws: WireError.mistyped("/email", .string, ["a"])) {
      try fields.text("email")
    }
    #expect(
      throws: WireError.mistyped("/phoneEnrollmentInfo/phoneNumber", .string, [:])
    ) { try fields.object("phoneEnrollmentInfo")?.text("phoneNumber") }
    #expect(throws: WireError.mistyped("/localId/0", .string, true)) {
      try fields.texts("localId")
    }
    #expect(throws: WireError.rootIsNoObject) { try WireFields("text") }
  }

  @Test func `an enum is a name or its number`() throws {
    let names = ["OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET"]
    #expect(
      try WireFields(["requestType": 1]).choice("requestType", names) == "PASSWORD_RESET")
    #expect(throws: WireError.self) {
      try WireFields(["requestType": 9]).choice("requestType", names)
    }
  }
}
