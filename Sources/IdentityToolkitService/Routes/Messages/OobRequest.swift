import AuthCore
import IdentityToolkit

/// A request to `accounts:sendOobCode`.
struct OobRequest: Sendable {
  /// The names in the order of their numbers, which Android's client sends.
  private static let types = [
    "OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT",
    "VERIFY_EMAIL", "RECOVER_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL",
    "REVERT_SECOND_FACTOR_ADDITION",
  ]

  let operation: ActionCode.Operation
  /// True if the code is returned to the calling admin instead of being sent.
  let returnsLink: Bool
  let continueURL: ContinueURL?
  /// The domain of the link; nil for the server's own.
  let linkDomain: String?

  /// Reads and checks the fields that every type has.
  init(_ call: Call) async throws {
    let type = try call.body.choice("requestType", Self.types) ?? ""
    guard !type.isEmpty, type != Self.types[0] else { throw WireError("MISSING_REQ_TYPE") }
    guard Self.types.contains(type) else {
      throw WireError.unknownChoice(
        "/requestType", of: "v1.OobReqType", type, names: Self.types)
    }
    returnsLink = try call.body.bool("returnOobLink") ?? false
    guard !returnsLink || call.isPrivileged else { throw WireError("INSUFFICIENT_PERMISSION") }
    continueURL = try await Self.continueURL(call)
    try call.behavior.checkApp(of: call)
    linkDomain = try await call.behavior.linkDomain(of: call)
    let operations: [ActionCode.Operation] = [
      .resetPassword, .verifyEmail, .emailSignIn, .verifyAndChangeEmail,
    ]
    guard let operation = operations.first(where: { $0.rawValue == type }) else {
      throw call.behavior.refusal(ofRequestType: type)
    }
    self.operation = operation
  }

  /// Returns the body's `continueUrl`, checked, or nil if none was sent.
  ///
  /// Throws `INVALID_CONTINUE_URI` or `UNAUTHORIZED_DOMAIN`.
  private static func continueURL(_ call: Call) async throws -> ContinueURL? {
    guard let text = try call.body.filled("continueUrl") else { return nil }
    guard let url = ContinueURL(text) else {
      throw WireError(
        "INVALID_CONTINUE_URI", "((expected an absolute URI with valid scheme and host))")
    }
    try await call.behavior.check(url, call)
    return url
  }

  /// Checks the fields on the app that opens the link.
  static func checkApp(_ call: Call) throws(WireError) {
    let body = call.body
    if try body.bool("canHandleCodeInApp") == true, try body.filled("continueUrl") == nil {
      throw WireError("MISSING_CONTINUE_URI")
    }
    let installs = try body.bool("androidInstallApp") == true
    let namesVersion =
      [try body.filled("androidMinimumVersion"), try body.filled("androidMinimumVersionCode")]
      .contains { $0 != nil }
    if installs || namesVersion, try body.filled("androidPackageName") == nil {
      throw WireError("MISSING_ANDROID_PACKAGE_NAME")
    }
    if try body.filled("iOSAppStoreId") != nil, try body.filled("iOSBundleId") == nil {
      throw WireError("MISSING_IOS_BUNDLE_ID")
    }
    if try body.filled("dynamicLinkDomain") != nil {
      throw WireError("INVALID_DYNAMIC_LINK_DOMAIN", "There are no dynamic links.")
    }
  }
}
