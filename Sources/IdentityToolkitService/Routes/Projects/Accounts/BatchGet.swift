import AuthCore
import Foundation
import IdentityToolkit

/// Download of a page of accounts (`accounts:batchGet`, the older `downloadAccount`).
extension AccountBatchHandler {
  func batchGet() async throws -> Answer {
    let asked = try query.integer("maxResults") ?? 0
    guard let limit = try behavior.limit(ofDownload: asked) else { return try await everyAccount() }
    let after = try behavior.start(ofPage: query.filled("nextPageToken"))
    let page = try await graph.accounts(
      after: after.map { AccountID($0) }, limit: limit, in: scope)
    // A full page has a token even if nothing follows.
    let last = page.count == limit ? page.last : nil
    return download(
      page.map(call.userRecord),
      next: last.map { behavior.page(after: $0.id.rawValue) })
  }

  private func everyAccount() async throws -> Answer {
    var users: [UserJSON] = []
    try await forEachPage { users += $0.map(call.userRecord) }
    return download(users)
  }

  private func download(_ users: [UserJSON], next: String? = nil) -> Answer {
    .record(
      UserList(
        kind: "identitytoolkit#DownloadAccountResponse", users: users, nextPageToken: next))
  }
}

/// The start of a page: after the last name of the previous one.
///
/// It is opaque, so that a made-up token is noticed.
struct PageToken: Sendable, Hashable {
  let last: String?

  init(last: String) {
    self.last = last
  }

  /// Reads a token; throws `INVALID_PAGE_SELECTION`.
  init(_ text: String?) throws(WireError) {
    guard let text else {
      last = nil
      return
    }
    guard let bytes = Base64.bytes(lenient: text.utf8),
      let name = String(validating: bytes, as: UTF8.self), name.hasPrefix(Self.mark)
    else { throw WireError("INVALID_PAGE_SELECTION") }
    last = String(name.dropFirst(Self.mark.count))
  }

  var text: String { last.map { Base64.url.text((Self.mark + $0).utf8) } ?? "" }

  private static let mark = "after:"
}
