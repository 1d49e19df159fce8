import AuthValues
import IdentityToolkit
import Testing

@Suite struct `Faults of a request's JSON` {
  @Test func `are told in Google's words`() {
    let cases: [(WireError, String)] = [
      (.mistyped("/email", .string, 1), "Invalid value at 'email' (TYPE_STRING), 1"),
      (.mistyped("/email", .string, true), "Invalid value at 'email' (TYPE_STRING), true"),
      (
        .mistyped("/returnSecureToken", .boolean, "x"),
        "Invalid value at 'return_secure_token' (TYPE_BOOL), \"x\""
      ),
      (
        .mistyped("/mfa/enrollments/0", .object, .null),
        "Invalid value at 'mfa.enrollments[0]' (TYPE_MESSAGE), null"
      ),
      (
        .mistyped("/signIn/email", .string, [:]),
        "Invalid value at 'sign_in.email' (TYPE_STRING), Starting an object on a scalar field"
      ),
      (
        .mistyped("/signIn/email", .string, []),
        "Invalid JSON payload received. Unknown name \"email\" at 'sign_in': "
          + "Proto field is not repeating, cannot start list."
      ),
      (
        .unknownName("/a/bC/x"),
        "Invalid JSON payload received. Unknown name \"x\" at 'a.b_c': Cannot find field."
      ),
      (
        .unknownName("/x"), "Invalid JSON payload received. Unknown name \"x\": Cannot find field."
      ),
      (
        .rootIsNoObject,
        "Invalid JSON payload received. Unknown name \"\": Root element must be a message."
      ),
      (
        .unknownChoice("/requestType", of: "v1.OobReqType", "X", names: ["A"]),
        "Invalid value at 'request_type' "
          + "(type.googleapis.com/google.cloud.identitytoolkit.v1.OobReqType), \"X\""
      ),
    ]
    for (error, sentence) in cases {
      let body = error.inGooglesWords.body["error"]
      #expect(body?["message"] == .string(sentence))
      #expect(body?["status"] == "INVALID_ARGUMENT" && body?["code"] == 400)
      #expect(body?["errors"]?.first?["message"] == .string(sentence))
      let details = body?["details"]?.first
      #expect(details?["@type"] == "type.googleapis.com/google.rpc.BadRequest")
      #expect(details?["fieldViolations"]?.first?["description"] == .string(sentence))
    }
  }

  @Test func `attack: a long value is not repeated whole`() {
    let error = WireError.mistyped("/a", .boolean, .string(String(repeating: "x", count: 5000)))
    #expect(error.inGooglesWords.message.count < 300)
  }

  @Test(arguments: [
    ("", "Unexpected end of string. Expected a value.\n\n^"),
    ("foo", "Expected a value.\nfoo\n^"),
    (#"{"a":}"#, "Expected a value.\n{\"a\":}\n     ^"),
    (
      #"{"a":1"#,
      "Unexpected end of string. Expected , or } after key:value pair.\n{\"a\":1\n      ^"
    ),
    (#"{"a" 1}"#, "Expected : between key:value pair.\n{\"a\" 1}\n     ^"),
    (#"{a:1}"#, "Expected an object key or }.\n{a:1}\n ^"),
    (#"{"a":1,}"#, "Expected an object key or }.\n{\"a\":1,}\n       ^"),
    ("[1 2]", "Expected , or ] after array value.\n[1 2]\n   ^"),
    ("[x]", "Expected a value or ] within an array.\n[x]\n ^"),
    (#"{"a":"x"#, "Closing quote expected in string.\n{\"a\":\"x\n     ^"),
    (#"{"a":01}"#, "Unable to parse number.\n{\"a\":01}\n     ^"),
    (#"{} x"#, "Parsing terminated before end of input.\n{} x\n   ^"),
    (#"{"a":"\q"}"#, "Invalid escape sequence.\n{\"a\":\"\\q\"}\n       ^"),
  ])
  func `that is none are shown with their place`(_ text: String, _ message: String) {
    #expect(JSONFault(in: Array(text.utf8), stoppingAt: 0).message == message)
  }

  @Test func `attack: a deep or broken text is read to its fault alone`() {
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
    #expect(JSONFault(in: deep, stoppingAt: 0).message.hasPrefix("Message too deep."))
    let bytes: [UInt8] = [0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x80, 0x7D]
    #expect(JSONFault(in: bytes, stoppingAt: 0).message.hasPrefix("Expected a value."))
    let repeated = JSONFault(in: Array(#"{"a":1,"a":2}"#.utf8), stoppingAt: 12).message
    #expect(repeated.hasPrefix("A name is repeated, or a text is no UTF-8.\n{\"a\":1"))
  }

  @Test func `a refusal tells its sentence, but nothing about other accounts`() {
    let told = WireError(telling: AuthError(.lastSignInMethod, "Nobody could sign in."))
    #expect(told.message == "OPERATION_NOT_ALLOWED : Nobody could sign in.")
    let owner = WireError(telling: AuthError(.emailAlreadyInUse, "Ada has the address."))
    #expect(owner.message == "EMAIL_EXISTS")
    let mapped = WireError(telling: AuthError(.adminRestrictedOperation, "Closed."))
    #expect(mapped.code == "ADMIN_ONLY_OPERATION")
    #expect(WireError(AuthError(.lastSignInMethod, "x")).message == "OPERATION_NOT_ALLOWED")
  }
}

extension JSONValue {
  /// The first entry of a list.
  fileprivate var first: JSONValue? {
    if case .array(let items) = self { items.first } else { nil }
  }
}
