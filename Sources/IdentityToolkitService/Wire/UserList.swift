import AuthCore

/// An answer that lists accounts.
struct UserList: JSONRecord {
  let kind: String
  let users: [UserJSON]
  var nextPageToken: String?
  /// Whether a list without accounts is left out, as admin clients take an empty one for an account.
  var leavesOutEmpty = false

  func writeMembers(_ writer: inout JSONWriter) {
    writer.member("kind", kind)
    writer.member("nextPageToken", nextPageToken)
    if !(users.isEmpty && leavesOutEmpty) { writer.member("users", users) }
  }
}
