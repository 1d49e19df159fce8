import AuthCore

/// The errors of tokens. None states which check failed or shows the token's content.
extension AuthError {
  static let invalidUserToken = AuthError(
    .invalidUserToken, "The token is malformed, or not of this project.", field: "idToken",
    remedy: "Sign in again.", step: .token)

  static let userTokenExpired = AuthError(
    .userTokenExpired, "The token is too old.", field: "idToken",
    remedy: "Get a new one with the refresh token.", step: .token)

  static let invalidRefreshToken = AuthError(
    .invalidRefreshToken, "The refresh token is malformed, or nobody gave it.",
    field: "refreshToken", remedy: "Sign in again.", step: .token)

  static let accountDeleted = AuthError(
    .userNotFound, "The session's account was deleted.", field: "refreshToken",
    remedy: "Sign in again.", step: .token)

  static let tokenTooLarge = AuthError(
    .claimsTooLarge, "The account's identities and claims do not fit into a token.",
    field: "customClaims", remedy: "An admin has to take claims or identities away.", step: .token)

  static let sessionWasNotOpened = AuthError(
    .internalError, "The session was not committed with the change that allows it.",
    remedy: "Have the graph open its sessions by the token service.", step: .token)

  static let tokensOfAnotherAccount = AuthError(
    .internalError, "The session is another account's.", step: .token)
}
