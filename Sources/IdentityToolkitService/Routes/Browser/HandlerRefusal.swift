import IdentityToolkit

/// Texts of the page of a sign-in that cannot go on: the code, and for the app's developer what is wrong and how to
/// mend it.
///
/// It has no text of the request.
struct HandlerRefusal: Sendable, Hashable {
  let code: String
  let advice: String

  init(_ error: WireError) {
    switch error {
    case .missingKey: code = "MISSING_API_KEY"
    case .invalidKey: code = "INVALID_API_KEY"
    default:
      let isCode = error.code.utf8.allSatisfy {
        $0 == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
      }
      code = isCode ? error.code : "INVALID_REQUEST"
    }
    advice = Self.advice[code] ?? ""
  }

  private static let advice = [
    "INVALID_API_KEY":
      "The address has an API key that the server does not know: give the app one of the keys "
      + "that the server's configuration lists under apiKeys.",
    "MISSING_API_KEY":
      "The address has no apiKey: give initializeApp one of the keys that the server's "
      + "configuration lists under apiKeys, or any text if it lists none.",
    "MISSING_APP_NAME":
      "The address has no appName: begin the sign-in with a function of Firebase's SDK.",
    "MISSING_PROVIDER_ID":
      "The address has no providerId: begin the sign-in with a function of Firebase's SDK.",
    "MISSING_CONTINUE_URI":
      "The address has no redirectUrl: begin the sign-in with a function of Firebase's SDK.",
    "INVALID_CONTINUE_URI":
      "The redirectUrl is no address of a page: begin the sign-in at a page with http or https.",
    "UNAUTHORIZED_DOMAIN":
      "The app's page is at a host at which this project lets nobody sign in: add the host to "
      + "authorizedDomains in the settings of signIn, and serve the page over https.",
    "TENANT_NOT_FOUND":
      "The project has no tenant of this ID: set auth.tenantId to one that it has.",
    "OPERATION_NOT_ALLOWED":
      "The provider is not one of this project: set it up, or begin with another one.",
    "INVALID_IDP_RESPONSE":
      "The provider's answer belongs to no sign-in that is under way in this browser: begin again "
      + "at the app.",
    "INVALID_REQUEST":
      "The page is for a window of its own: open it by a popup or a redirect.",
  ]
}
