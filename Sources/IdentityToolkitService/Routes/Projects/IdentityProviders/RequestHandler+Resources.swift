import AuthCore
import IdentityToolkit

/// The resources of a project or tenant that have names of their own.
extension RequestHandler {
  /// The beginning of the resources' names.
  var parent: String { "projects/\(project)" + (tenant.map { "/tenants/\($0)" } ?? "") }

  /// Returns the page that the query asks for, of resources in the order of their IDs.
  ///
  /// Throws `INVALID_PAGE_SELECTION`.
  func page(
    of ids: some Sequence<String>, in collection: String, _ document: (String) -> JSONValue?
  ) throws -> Answer {
    let asked = try query.integer("pageSize") ?? 0
    guard asked >= 0 else { throw WireError("INVALID_PAGE_SELECTION") }
    let limit = asked == 0 ? 20 : Int(min(asked, 100))
    let after = try PageToken(query.filled("pageToken")).last ?? ""
    let left = ids.filter { $0 > after }.sorted()
    let page = left.prefix(limit)
    var answer: [String: JSONValue] = [collection: .array(page.compactMap(document))]
    if left.count > limit, let last = page.last {
      answer["nextPageToken"] = .string(PageToken(last: last).text)
    }
    return .json(.object(answer))
  }
}
