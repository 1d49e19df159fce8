import AuthClient
import Foundation

/// The snippets of the article "End unknown ways in".
enum WaysInSnippets {
  static func reset(
    _ auth: Auth, code: String, password: String
  ) async throws -> [AccountWayIn] {
    // snippet: reset
    let ways = try await auth.waysIn(afterPasswordResetWithCode: code, newPassword: password)
    print("What opens the account now: \(ways.map(\.description).joined(separator: ", ")).")
    // end
    return ways
  }
}

// snippet: end unknown
/// Ends the ways in that a person does not recognise, and returns those that stay.
func endUnknownWays(
  into user: User, _ isKnown: (AccountWayIn) -> Bool
) async throws -> [AccountWayIn] {
  let unknown = try await user.waysIn().filter { $0.isEndable && !isKnown($0) }
  guard !unknown.isEmpty else { return try await user.waysIn() }
  return try await user.endWaysIn(unknown)
}
// end
