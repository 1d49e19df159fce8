/// The steps of passkeys.
enum PasskeyStep: Sendable {
  case beginEnrollment, finishEnrollment, beginSignIn, finishSignIn
}

extension Route {
  static let passkeys: [Route] = [
    passkey(.beginEnrollment, "passkeyEnrollment:start", ["idToken", "tenantId"]),
    passkey(
      .finishEnrollment, "passkeyEnrollment:finalize",
      [
        "idToken", .object("authenticatorRegistrationResponse"), "name", "displayName", "tenantId",
      ]),
    passkey(.beginSignIn, "passkeySignIn:start", ["tenantId"]),
    passkey(
      .finishSignIn, "passkeySignIn:finalize",
      [.object("authenticatorAuthenticationResponse"), "sessionId", "tenantId"]),
  ]

  private static func passkey(
    _ step: PasskeyStep, _ operation: String, _ fields: [RouteField]
  ) -> Route {
    Route(
      .post, "/v2/accounts/\(operation)", access: .key,
      name: "identitytoolkit.accounts.\(operation.replacing(":", with: "."))", fields: fields
    ) { call in try await call.behavior.passkey(step, call) }
  }
}
