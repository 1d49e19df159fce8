import Foundation

/// What Google's sign-in gives an app.
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

/// What Facebook's sign-in gives an app.
@MainActor struct AccessToken {
  static var current: AccessToken?

  let tokenString: String
}

/// Somebody whom an emulator believes to be who they say.
struct Person {
  let subject: String
  let email: String

  /// The claims in place of a vendor's token.
  var claims: String {
    #"{"sub": "\#(subject)", "email": "\#(email)", "email_verified": true}"#
  }
}
