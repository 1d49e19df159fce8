import AuthCore
import Foundation
import IdentityToolkit

/// A page of accounts (`accounts:batchGet`, the older `downloadAccount`).
extension Call {
  func batchGet() async throws -> Answer {
    let asked = try query.integer("maxResults") ?? 0
    if asked == -1 && isEmulator { return try await everyAccount() }
    guard asked >= 0 else { throw WireError("INVALID_PAGE_SELECTION") }
    let limit = asked == 0 ? 20 : Int(min(asked, 1000))
    let after = try PageToken(query.filled("nextPageToken"), isPlain: isEmulator)
    let page = try await graph.accounts(
      after: after.last.map { AccountID($0) }, limit: limit, in: scope)
    // A full page has a token even where nothing follows.
    let last = page.count == limit ? page.last : nil
    return download(
      page.map(userRecord),
      next: last.map { PageToken(last: $0.id.rawValue, isPlain: isEmulator).text })
  }

  private func everyAccount() async throws -> Answer {
    var users: [UserJSON] = []
    try await forEachPage { users += $0.map(userRecord) }
    return download(users)
  }

  private func download(_ users: [UserJSON], next: String? = nil) -> Answer {
    .record(
      UserList(
        kind: "identitytoolkit#DownloadAccountResponse", users: users, nextPageToken: next))
  }

  /// Goes through every account of the scope, in order of uid.
  func forEachPage(
    matching filter: AccountFilter = AccountFilter(), _ body: ([Account]) throws -> Void
  ) async throws {
    var last: AccountID?
    while true {
      // Also for a store that answers without waiting.
      try Task.checkCancellation()
      let page = try await graph.accounts(matching: filter, after: last, limit: 1000, in: scope)
      try body(page)
      guard page.count == 1000, let end = page.last else { return }
      last = end.id
    }
  }
}

/// Where the next page begins: behind the last name of this one.
///
/// The emulator's tokens are that name; others are opaque, so that a made-up one is noticed.
struct PageToken: Sendable, Hashable {
  let last: String?
  let isPlain: Bool

  init(last: String, isPlain: Bool) {
    self.last = last
    self.isPlain = isPlain
  }

  /// Reads a token; throws `INVALID_PAGE_SELECTION`.
  init(_ text: String?, isPlain: Bool) throws(WireError) {
    self.isPlain = isPlain
    guard let text, !isPlain else {
      last = text
      return
    }
    guard let bytes = Base64.bytes(lenient: text.utf8),
      let name = String(validating: bytes, as: UTF8.self), name.hasPrefix(Self.mark)
    else { throw WireError("INVALID_PAGE_SELECTION") }
    last = String(name.dropFirst(Self.mark.count))
  }

  var text: String {
    guard let last, !isPlain else { return last ?? "" }
    return Base64.url.text((Self.mark + last).utf8)
  }

  private static let mark = "after:"
}
