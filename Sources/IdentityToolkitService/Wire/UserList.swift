import AuthCore

/// An answer with a list of accounts.
struct UserList: JSONRecord {
  let kind: String
  let users: [UserJSON]
  var nextPageToken: String?
  /// True if an empty list is left out, because admin clients read an empty list as an account.
  var leavesOutEmpty = false

  func writeMembers(_ writer: inout JSONWriter) {
    writer.member("kind", kind)
    writer.member("nextPageToken", nextPageToken)
    if !(users.isEmpty && leavesOutEmpty) { writer.member("users", users) }
  }
}
