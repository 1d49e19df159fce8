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

  /// The lower-case host, with its port where it has one, or nil where the text is no absolute URL.
  public static func host(of url: String) -> String? {
    guard let parts = URLComponents(string: url), parts.scheme != nil,
      let host = parts.host?.lowercased(), !host.isEmpty
    else { return nil }
    return parts.port.map { "\(host):\($0)" } ?? host
  }
}
