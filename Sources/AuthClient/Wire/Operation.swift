/// The operations of the protocol that the client uses.
enum Operation: String, Sendable {
  case createAuthUri = "/v1/accounts:createAuthUri"
  case delete = "/v1/accounts:delete"
  case enrollFactor = "/v2/accounts/mfaEnrollment:finalize"
  case lookup = "/v1/accounts:lookup"
  case merge = "/v1/accounts:merge"
  case move = "/v1/accounts:move"
  case planMerge = "/v1/accounts:planMerge"
  case resetPassword = "/v1/accounts:resetPassword"
  case resolveFactor = "/v2/accounts/mfaSignIn:finalize"
  case revokeToken = "/v2/accounts:revokeToken"
  case sendOobCode = "/v1/accounts:sendOobCode"
  case sendVerificationCode = "/v1/accounts:sendVerificationCode"
  case signInWithCustomToken = "/v1/accounts:signInWithCustomToken"
  case signInWithEmailLink = "/v1/accounts:signInWithEmailLink"
  case signInWithIdp = "/v1/accounts:signInWithIdp"
  case signInWithPassword = "/v1/accounts:signInWithPassword"
  case signInWithPhoneNumber = "/v1/accounts:signInWithPhoneNumber"
  case signUp = "/v1/accounts:signUp"
  case startEnrollment = "/v2/accounts/mfaEnrollment:start"
  case startFactor = "/v2/accounts/mfaSignIn:start"
  case token = "/v1/token"
  case update = "/v1/accounts:update"
  case withdrawFactor = "/v2/accounts/mfaEnrollment:withdraw"

  var service: BackendRequest.Service { self == .token ? .secureToken : .identityToolkit }
}
