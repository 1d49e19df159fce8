import AuthCore
import CPostgres
import Foundation

/// The options in a database's URL: libpq's for reaching it, and the store's own for using it.
struct ConnectionOptions: Sendable {
  /// libpq's keywords and values.
  private(set) var keywords: [String: String]
  /// The schema of the tables.
  let schema: String
  /// The maximum number of connections.
  let connections: Int
  /// The time limit of a statement, in seconds.
  let statementTimeout: Int
  /// The way in which servers announce changes to each other; nil for the best that the engine offers.
  let announcements: Announcements?
  /// True if nothing is written; the server refuses every write then.
  var isReadOnly = false

  enum Announcements: String {
    case notify, poll
  }

  /// Parses a URL; throws `invalid-argument` and names the parameter that is wrong.
  ///
  /// A replica has the schema of its primary server.
  init(url: String, schema known: String? = nil) throws(AuthError) {
    var own = OwnParameters(url: url)
    let named = own.take("schema")
    schema = known ?? named ?? "authgraph"
    connections = try own.number("connections", 1...1000) ?? 16
    statementTimeout = try own.number("statement_timeout", 1...3600) ?? 30
    announcements = try own.take("announcements").map { text throws(AuthError) in
      guard let value = Announcements(rawValue: text) else {
        throw Self.invalid("announcements is \"\(text)\".", "Write notify or poll.")
      }
      return value
    }
    guard Self.isName(schema) else {
      throw Self.invalid(
        "The schema \"\(schema)\" is no plain name.",
        "Write up to 40 small letters, digits and underscores, beginning with a letter.")
    }
    keywords = try Self.keywords(of: own.rest)
    for (name, value) in Self.defaults where keywords[name] == nil { keywords[name] = value }
    keywords["client_encoding"] = "UTF8"
    // If the URL names several servers, a store connects to the one that takes changes, a replica to any.
    if known == nil, keywords["target_session_attrs"] == nil, namesSeveralServers {
      keywords["target_session_attrs"] = "read-write"
    }
  }

  private var namesSeveralServers: Bool {
    (keywords["host"] ?? keywords["hostaddr"] ?? "").contains(",")
  }

  /// The host, port and database, without anything secret.
  var place: String {
    let hosts = (keywords["host"] ?? keywords["hostaddr"] ?? "localhost").split(
      separator: ",", omittingEmptySubsequences: false)
    let ports = (keywords["port"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
    let places = hosts.enumerated().map { index, host in
      // A single port is that of all hosts.
      let port = ports.count == 1 ? ports[0] : ports.indices.contains(index) ? ports[index] : ""
      return port.isEmpty ? String(host) : "\(host):\(port)"
    }
    return "postgres://\(places.joined(separator: ","))/\(keywords["dbname"] ?? "")"
  }

  /// Defaults that detect a dead connection within seconds, even if no packet comes back.
  private static let defaults = [
    "connect_timeout": "3", "keepalives": "1", "keepalives_idle": "2", "keepalives_interval": "1",
    "keepalives_count": "3", "tcp_user_timeout": "4000", "application_name": "authgraph",
  ]

  private static func isName(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count)
      && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
      && !(text.utf8.first.map { (48...57).contains($0) } ?? true)
  }

  /// Leaves the parsing to libpq, so that its options mean what its documentation says.
  private static func keywords(of url: String) throws(AuthError) -> [String: String] {
    var message: UnsafeMutablePointer<CChar>?
    guard let list = PQconninfoParse(url, &message) else {
      let reason = message.map { String(cString: $0) } ?? "out of memory"
      PQfreemem(message)
      throw invalid(
        "The store's URL cannot be read: \(Self.withoutSecrets(reason))",
        "Write postgres://USER@HOST:PORT/DATABASE?OPTION=VALUE with libpq's options.")
    }
    defer { PQconninfoFree(list) }
    var keywords: [String: String] = [:]
    var option = list
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        keywords[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    return keywords
  }

  /// Removes what may be a password from libpq's message, which quotes the part of the URL that it could not parse.
  ///
  /// The name of an option is no secret and stays.
  private static func withoutSecrets(_ reason: String) -> String {
    let text = reason.trimmingCharacters(in: .whitespacesAndNewlines)
    if text.hasPrefix("invalid URI query parameter") { return text }
    return text.firstRange(of: ": \"").map { String(text[..<$0.lowerBound]) } ?? text
  }

  private static func invalid(_ message: String, _ remedy: String) -> AuthError {
    AuthError(.invalidArgument, message, field: "store", remedy: remedy)
  }

  /// The parameters of a URL's query that are the store's own.
  private struct OwnParameters {
    private let base: String
    private var pairs: [(name: String, value: String)]

    init(url: String) {
      let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      base = String(parts[0])
      let query = parts.count > 1 ? parts[1] : ""
      pairs = query.split(separator: "&").map { pair in
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(halves[0]), halves.count > 1 ? String(halves[1]) : "")
      }
    }

    /// The URL without the parameters that were taken.
    var rest: String {
      guard !pairs.isEmpty else { return base }
      return base + "?" + pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    mutating func take(_ name: String) -> String? {
      guard let index = pairs.firstIndex(where: { $0.name == name }) else { return nil }
      return pairs.remove(at: index).value
    }

    mutating func number(
      _ name: String, _ range: ClosedRange<Int>
    ) throws(AuthError) -> Int? {
      guard let text = take(name) else { return nil }
      guard let number = Int(text), range.contains(number) else {
        throw ConnectionOptions.invalid(
          "\(name) is \"\(text)\".",
          "Write a number from \(range.lowerBound) to \(range.upperBound).")
      }
      return number
    }
  }
}
