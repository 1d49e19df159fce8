import Foundation

/// Writes and reads the parts of URLs that providers need.
public enum URLText {
  /// The unreserved characters of RFC 3986; all others are escaped.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// Escapes a name or value for any part of a URL or a form.
  public static func escaped(_ text: String) -> String {
    // Fails only for text that is no UTF-8, which a String cannot hold.
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  /// Joins fields to a query or a form body.
  public static func form(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
  }

  /// Appends fields to a URL's query.
  public static func adding(_ fields: [(name: String, value: String)], to url: String) -> String {
    guard !fields.isEmpty else { return url }
    return url + (url.contains("?") ? "&" : "?") + form(fields)
  }

  /// Returns the lower-case host, with its port if it has one; nil if the text is not an absolute URL.
  public static func host(of url: String) -> String? {
    guard let parts = URLComponents(string: url), parts.scheme != nil,
      let host = parts.host?.lowercased(), !host.isEmpty
    else { return nil }
    return parts.port.map { "\(host):\($0)" } ?? host
  }
}
