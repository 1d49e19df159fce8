import Foundation

/// The path of an operation, read from each of the forms in which Firebase's clients write it.
///
/// At an emulator's address the host of the service is the first segment:
/// `/identitytoolkit.googleapis.com/v1/accounts:lookup`. Apple's client calls the older
/// `/identitytoolkit/v3/relyingparty/getAccountInfo` instead.
struct RoutePath: Sendable, Hashable {
  var method: Route.Method
  /// The path without the service's host: `/v1/accounts:lookup`.
  var path: String
  /// True if the body is to be read as a query, as for the older download of accounts.
  var bodyIsQuery = false
  /// True if the project has to be read from the body.
  var needsProject = false
  /// The operation's name in the older form of the path.
  var olderName: String?

  /// Reads a path.
  ///
  /// Returns nil for a method that no operation has.
  init?(method: String, path: String) {
    guard let method = Route.Method(rawValue: method) else { return nil }
    self.method = method
    self.path = path
    if let host = Self.hosts.first(where: path.hasPrefix) {
      self.path = String(path.dropFirst(host.count - 1))
    }
    guard let older = Self.older(self.path) else { return }
    switch older {
    case "downloadAccount":
      guard method == .post else { return }
      (self.method, self.path) = (.get, "/v1/projects/{body}/accounts:batchGet")
      (bodyIsQuery, needsProject) = (true, true)
    case "uploadAccount":
      self.path = "/v1/projects/{body}/accounts:batchCreate"
      needsProject = true
    default:
      guard let name = Self.olderNames[older] else { return }
      self.path = "/v1/\(name)"
      olderName = older
      if ["projects", "recaptchaParams"].contains(name) { self.method = .get }
    }
  }

  private static let hosts = [
    "/identitytoolkit.googleapis.com/", "/securetoken.googleapis.com/", "/www.googleapis.com/",
    "/oauth2.googleapis.com/",
  ]

  private static func older(_ path: String) -> String? {
    let prefix = "/identitytoolkit/v3/relyingparty/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
  }

  private static let olderNames = [
    "createAuthUri": "accounts:createAuthUri",
    "deleteAccount": "accounts:delete",
    "emailLinkSignin": "accounts:signInWithEmailLink",
    "getAccountInfo": "accounts:lookup",
    "getOobConfirmationCode": "accounts:sendOobCode",
    "getProjectConfig": "projects",
    "getRecaptchaParam": "recaptchaParams",
    "publicKeys": "publicKeys",
    "resetPassword": "accounts:resetPassword",
    "sendVerificationCode": "accounts:sendVerificationCode",
    "setAccountInfo": "accounts:update",
    "setProjectConfig": "setProjectConfig",
    "signOutUser": "signOutUser",
    "signupNewUser": "accounts:signUp",
    "verifyAssertion": "accounts:signInWithIdp",
    "verifyClient": "accounts:verifyIosClient",
    "verifyCustomToken": "accounts:signInWithCustomToken",
    "verifyPassword": "accounts:signInWithPassword",
    "verifyPhoneNumber": "accounts:signInWithPhoneNumber",
    "signInWithGameCenter": "accounts:signInWithGameCenter",
  ]
}
