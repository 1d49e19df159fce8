import Foundation

extension String {
  /// The fields of a URL's query, or of a form if the text is not a URL.
  var queryFields: [String: String] {
    var parts = URLComponents()
    parts.percentEncodedQuery =
      contains("?") ? String(split(separator: "?", maxSplits: 1)[1]) : self
    let items = parts.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { a, _ in a })
  }
}
