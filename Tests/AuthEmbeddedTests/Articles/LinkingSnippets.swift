import AuthClient
import Foundation

/// The snippets of the articles on linking.
enum LinkingSnippets {
  static func link(
    _ user: User, idToken: String, accessToken: String
  ) async throws -> AuthDataResult {
    // snippet: link
    let credential = GoogleAuthProvider.credential(withIDToken: idToken, accessToken: accessToken)
    let result = try await user.link(with: credential)
    for identity in result.user.providerData {
      print(identity.providerID, identity.uid, identity.email ?? "no address")
    }
    // end
    return result
  }

  static func credentials(
    facebookToken: String, workToken: String, appleToken: String, nonce: String,
    fullName: PersonNameComponents?, email: String, password: String
  ) -> [AuthCredential] {
    // snippet: credentials
    let facebook = FacebookAuthProvider.credential(withAccessToken: facebookToken)
    let work = OAuthProvider.credential(
      providerID: .custom("oidc.work"), idToken: workToken, rawNonce: nonce)
    let password = EmailAuthProvider.credential(withEmail: email, password: password)
    let apple = OAuthProvider.appleCredential(
      withIDToken: appleToken, rawNonce: nonce, fullName: fullName)
    // end
    return [facebook, work, password, apple]
  }

  static func link(
    _ user: User, with credential: AuthCredential,
    _ show: @escaping ([any UserInfo]) -> Void, _ report: @escaping (any Error) -> Void
  ) {
    // snippet: link without async
    user.link(with: credential) { result, error in
      if let error { return report(error) }
      show(result?.user.providerData ?? [])
    }
    // end
  }

  static func refused(
    _ credential: AuthCredential, _ user: User, shownAgain: AuthCredential
  ) async throws -> String {
    // snippet: refusals
    do {
      try await user.link(with: credential)
      return "linked"
    } catch AuthErrorCode.providerAlreadyLinked {
      return "There is one of this provider already; unlink that one first."
    } catch AuthErrorCode.requiresRecentLogin {
      try await user.reauthenticate(with: shownAgain)
      try await user.link(with: credential)
      return "linked, after the person had shown again who they are"
    }
    // end
  }

  static func unlink(_ user: User) async throws {
    // snippet: unlink
    let left = try await user.unlink(fromProvider: "facebook.com")
    print("Left are \(left.providerData.map(\.providerID)).")
    // end
  }
}
