import AuthCore
import Foundation
import MeasuredWork

/// The requests to the server in one round, each a line with a path and a body.
///
/// Each round has its own accounts, so that a link finds nothing linked.
struct RequestLines {
  static let trivial = #"/echo {"idToken":"x"}"#

  private static let accounts = "/identitytoolkit.googleapis.com/v1/accounts"
  /// The number of requests between a link and its unlink, which exceeds the number of concurrent requests.
  private static let lag = 128

  private let numbers: Range<UInt32>

  init(accounts: Int, round: Int, of rounds: Int) {
    let share = accounts / rounds
    numbers = UInt32(round * share)..<UInt32((round + 1) * share)
  }

  func lines(_ request: ServerBench.Request) -> [String] {
    let people = numbers.map(Person.init)
    switch request {
    case .lookup:
      return people.map { #"\#(Self.accounts):lookup?key=k {"idToken":"\#(Self.token($0))"}"# }
    case .refresh:
      return people.map {
        "/securetoken.googleapis.com/v1/token?key=k "
          + #"{"grantType":"refresh_token","refreshToken":"\#(Self.refreshToken($0))"}"#
      }
    case .returning: return people.map { Self.signIn("google.com", $0.google, $0.email) }
    case .new:
      return people.map { Self.signIn("google.com", "9\($0.google)", "new-\($0.email)") }
    case .link:
      return people.map { Self.signIn("github.com", $0.github, $0.email, linkingTo: $0) }
    case .pairs:
      let links = people.map { Self.signIn("apple.com", $0.github, $0.email, linkingTo: $0) }
      return links.indices.flatMap { index in
        index < Self.lag ? [links[index]] : [links[index], Self.unlink(people[index - Self.lag])]
      }
    }
  }

  private static func signIn(
    _ provider: String, _ subject: String, _ email: String, linkingTo person: Person? = nil
  ) -> String {
    // The emulator accepts an ID token that is plain JSON.
    let claims = #"{"sub":"\#(subject)","email":"\#(email)","email_verified":true}"#
    let escaped = claims.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let session = person.map { #""idToken":"\#(token($0))","# } ?? ""
    return "\(accounts):signInWithIdp?key=k {\(session)\"requestUri\":\"http://localhost\","
      + "\"returnSecureToken\":true,\"postBody\":\"providerId=\(provider)&id_token=\(escaped)\"}"
  }

  private static func unlink(_ person: Person) -> String {
    #"\#(accounts):update?key=k {"idToken":"\#(token(person))","deleteProvider":["apple.com"]}"#
  }

  /// Returns an ID token in the emulator's form.
  private static func token(_ person: Person) -> String {
    let now = Int(Date().timeIntervalSince1970)
    let claims = """
      {"name":"\(person.name)","picture":"\(person.photo)","email":"\(person.email)",\
      "email_verified":true,"auth_time":\(now),"user_id":"\(person.id)","firebase":{"identities":{\
      "google.com":["\(person.google)"],"email":["\(person.email)"]},"sign_in_provider":"google.com"},\
      "iat":\(now),"exp":\(now + 3600),"aud":"bench","iss":"https://securetoken.google.com/bench",\
      "sub":"\(person.id)"}
      """
    return "\(base64(#"{"alg":"none","typ":"JWT"}"#)).\(base64(claims))."
  }

  private static func refreshToken(_ person: Person) -> String {
    Data(
      """
      {"_AuthEmulatorRefreshToken":"DO NOT MODIFY","localId":"\(person.id)","provider":"google.com",\
      "extraClaims":{},"projectId":"bench"}
      """.utf8
    ).base64EncodedString()
  }

  private static func base64(_ text: String) -> String {
    Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
