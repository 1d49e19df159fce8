import Foundation

/// The result of Google's sign-in in an app.
struct GoogleUser {
  struct Authentication {
    let idToken: String?
    let accessToken: String
  }

  let authentication: Authentication

  init(_ person: Person) {
    authentication = Authentication(idToken: person.claims, accessToken: "an access token")
  }
}

/// The result of Facebook's sign-in in an app.
@MainActor struct AccessToken {
  static var current: AccessToken?

  let tokenString: String
}

/// A person whose claims an emulator believes.
struct Person {
  let subject: String
  let email: String

  /// The claims, used in place of a vendor's token.
  var claims: String {
    #"{"sub": "\#(subject)", "email": "\#(email)", "email_verified": true}"#
  }
}
