import AuthCore
import UserFiles

/// An account of an upload: its fields, and Firebase's errors.
///
/// The rules of every record turn it into an account: `UserRecord.account(at:)`.
enum UploadedUser {
  static let fields: [RouteField] = [
    "localId", "tenantId", "email", .flag("emailVerified"), "displayName", "photoUrl",
    "phoneNumber", .flag("disabled"), "customAttributes", "createdAt", "lastLoginAt",
    "passwordHash", "salt", "rawPassword", .flag("customAuth"), .flag("emailLinkSignin"),
    "initialEmail", "screenName", "language", "timeZone", "dateOfBirth",
    .list("providerUserInfo", most: RouteBounds.identities, of: Route.identity),
    Route.factors("mfaInfo"),
  ]
}

/// The reason that an account of an upload is left out, as the answer words it.
struct UploadFault: Error, Hashable {
  let message: String

  init(_ message: String) { self.message = message }

  init(_ fault: RecordFault) {
    message =
      switch fault.kind {
      case .missingUID: "localId is missing"
      case .invalidUID: "localId is invalid"
      case .otherTenant: "Tenant id in userInfo does not match the tenant id in request."
      case .claimsTooLarge: "Custom claims provided are too large."
      case .reservedClaims: "Custom claims provided include a reserved claim."
      case .invalidClaims: "Invalid custom claims provided."
      case .missingSubject: "federatedId or (providerId & rawId) is required"
      case .unreadFederatedID: "federatedId is invalid"
      case .unknownProvider: "providerId is not supported"
      case .invalidPhoneNumber: "phone number format is invalid"
      case .invalidEmail: "email is invalid"
      case .invalidPassword: "Password hash is invalid: \(fault.error.message)"
      case .unknownHash: "Password hash is given without the hash algorithm it was made with."
      case .factorWithoutEmail: "Second factor account requires email to be presented."
      case .factorOfUnverifiedEmail: "Second factor account requires email to be verified."
      case .repeatedFactor: "Enrollment id already exists."
      case .unknownFactor: "Second factor not supported."
      case .invalidFactorNumber: "Phone number format is invalid"
      case .malformed, .repeatedIdentity: fault.error.message
      }
  }
}
