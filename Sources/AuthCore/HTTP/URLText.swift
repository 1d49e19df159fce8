import Foundation

/// Writes and reads the parts of URLs that providers need.
public enum URLText {
  /// Letters, digits and what RFC 3986 calls unreserved; everything else is escaped.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// Escapes one name or value, so that it means itself anywhere in a URL or a form.
  public static func escaped(_ text: String) -> String {
    // Fails only for text that is no UTF-8, which a String cannot hold.
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  /// Joins fields as a query or a form body.
  public static func form(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
  }

  /// Adds a query to a URL, which may have one already.
  public static func adding(_ fields: [(name: String, value: String)], to url: String) -> String {
    guard !fields.isEmpty else { return url }
    return url + (url.contains("?") ? "&" : "?") + form(fields)
  }

  /// The fields of a URL's query; nil where there is none, or a name is there twice and so means nothing.
  public static func query(of url: String) -> [String: String]? {
    guard let items = URLComponents(string: url)?.percentEncodedQueryItems else { return nil }
    let fields = items.map { (decoded($0.name), decoded($0.value ?? "")) }
    guard Set(fields.map(\.0)).count == fields.count else { return nil }
    return Dictionary(fields, uniquingKeysWith: { first, _ in first })
  }

  /// Text of a query, where a plus stands for a space and an escaped one for itself.
  private static func decoded(_ text: String) -> String {
    let spaced = text.replacing("+", with: " ")
    return spaced.removingPercentEncoding ?? spaced
  }

  /// The lower-case host, with its port where it has one, or nil where the text is no absolute URL.
  public static func host(of url: String) -> String? {
    guard let parts = URLComponents(string: url), parts.scheme != nil,
      let host = parts.host?.lowercased(), !host.isEmpty
    else { return nil }
    return parts.port.map { "\(host):\($0)" } ?? host
  }
}
