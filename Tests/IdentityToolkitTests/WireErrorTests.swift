import AuthValues
import IdentityToolkit
import Testing

@Suite struct WireErrorTests {
  @Test func `an ordinary failure is 400 without a status`() {
    let error = WireError("WEAK_PASSWORD", "Password should be at least 6 characters")
    #expect(
      error.body == [
        "error": [
          "code": 400, "message": "WEAK_PASSWORD : Password should be at least 6 characters",
          "errors": [
            [
              "message": "WEAK_PASSWORD : Password should be at least 6 characters",
              "reason": "invalid", "domain": "global",
            ]
          ],
        ]
      ])
    #expect(error.code == "WEAK_PASSWORD")
  }

  @Test func `an unknown bearer token is refused with its location`() {
    let body = WireError.unauthenticated.body["error"]
    #expect(body?["code"] == 401)
    #expect(body?["status"] == "UNAUTHENTICATED")
    guard case .array(let items)? = body?["errors"] else {
      Issue.record("no items")
      return
    }
    #expect(items.first?["message"] == "Invalid Credentials")
    #expect(items.first?["location"] == "Authorization")
  }

  @Test func `accounts that cannot be reached are a reason to try later, which names nothing`() {
    let error = WireError(AuthError(.storeUnavailable, "The disk is full."))
    #expect(error == .unavailable)
    #expect(!error.message.contains("disk"))
  }

  @Test func `a failure that only an admin can mend is an internal error`() {
    let error = WireError(AuthError(.internalError, "The key is another one."))
    #expect(error == .internalError)
  }

  @Test func `a function that could not be asked is no fault of the request`() {
    let refusal = AuthError(.blockingFunctionError, "no", step: .policy)
    let trouble = AuthError(.blockingFunctionError, "gone", step: .exchange)
    #expect(WireError(refusal).status == 400)
    #expect(WireError(trouble).status == 500)
    #expect(WireError(trouble).message == "BLOCKING_FUNCTION_ERROR_RESPONSE : gone")
  }
}
