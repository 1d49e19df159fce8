import AuthCore
import IdentityToolkit

extension EmulatorBehavior {
  func language(ofLinkIn call: Call) -> String { "en" }
  var actionPath: String { "/emulator/action" }
  func key(ofLinkIn call: Call) -> String { "fake-api-key" }
  func check(_ url: ContinueURL, _ call: Call) async throws {}
  func checkApp(of call: Call) throws(WireError) {}
  func refusal(ofRequestType type: String) -> WireError { Self.missing(type) }

  /// Believes an admin only if the link is returned to the admin.
  func believesAdmin(_ request: OobRequest) -> Bool { request.returnsLink }

  var closedReset: WireError { WireError("PASSWORD_LOGIN_DISABLED") }

  func missingNumber(_ code: String) -> WireError {
    WireError("INVALID_PHONE_NUMBER", "Invalid format.")
  }

  /// Refuses the number of an account that has a second factor.
  func checkRecipient(_ number: PhoneNumber, _ call: Call) async throws {
    let scope = call.scope
    let isGuarded = try await call.graph.store.read { reader in
      try reader.accountIDs(withPhone: number.text, in: scope).contains { id in
        try reader.account(id, in: scope)?.secondFactors.isEmpty == false
      }
    }
    if isGuarded { throw WireError.phoneIsNoFirstFactor }
  }

  func hold(
    to operation: String, _ credential: Credential, _ signedIn: SignedIn?, _ call: Call
  ) async throws {}
}
