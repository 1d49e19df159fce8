import AuthCore
import Foundation

/// The location of a store, as it is named on the command line.
enum StoreLocation: Equatable {
  case sqlite(path: String)
  /// A URL as libpq accepts it; it may hold a password.
  case postgres(url: String)
  case memory

  init(_ text: String) throws(AuthError) {
    // The colon of memory: has to be quoted in YAML, and is easily forgotten elsewhere.
    if text == "memory" || text == "memory:" {
      self = .memory
    } else if text.hasPrefix("sqlite:"), text.count > "sqlite:".count {
      let path = String(text.dropFirst("sqlite:".count))
      if let question = path.firstIndex(of: "?") {
        throw AuthError(
          .invalidArgument, "A store of SQLite has no parameters.", field: "store",
          remedy: "Write sqlite:\(path[..<question]), without \(path[question...]).")
      }
      self = .sqlite(path: path.hasPrefix("~/") ? UserDirectories.home + path.dropFirst() : path)
    } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      // Otherwise a part of the password would be taken for a host, and printed in an error.
      guard PostgresURLParts(text).hasPlainAddress else {
        throw AuthError(
          .invalidArgument, "The store's URL names no host and database.", field: "store",
          remedy:
            "Write postgres://USER:PASSWORD@HOST:PORT/DATABASE, and @ : / ? # of a password as %40 %3A %2F %3F "
            + "%23.")
      }
      self = .postgres(url: text)
    } else {
      // A mistyped location may be a URL with a password in it.
      let mayBeSecret = text.contains("@") || text.hasPrefix("postgres")
      throw AuthError(
        .invalidArgument, mayBeSecret ? "This names no store." : "\"\(text)\" names no store.",
        field: "store",
        remedy: "Write sqlite:PATH, postgres://USER@HOST:PORT/DATABASE or memory:.")
    }
  }

  /// True if the location's text contains a password.
  var holdsPassword: Bool {
    guard case .postgres(let url) = self else { return false }
    let parts = PostgresURLParts(url)
    return parts.user.contains(":") && !parts.user.hasSuffix(":")
      || parts.query.split(separator: "&").contains { $0.hasPrefix("password=") }
  }
}

extension StoreLocation: CustomStringConvertible {
  /// The location without user and password, which may be shown to everyone.
  var description: String {
    switch self {
    case .sqlite(let path): "sqlite:\(path)"
    case .postgres(let url): "postgres://\(PostgresURLParts(url).place)"
    case .memory: "memory:"
    }
  }
}

/// The parts of a PostgreSQL URL, split as libpq does.
private struct PostgresURLParts {
  /// The user and password, if any.
  let user: Substring
  private let address: Substring
  let query: Substring

  init(_ url: String) {
    var rest = url[...]
    if let scheme = url.range(of: "://") { rest = url[scheme.upperBound...] }
    let end = rest.firstIndex { $0 == "@" || $0 == "/" }
    if let end, rest[end] == "@" {
      user = rest[..<end]
      rest = rest[rest.index(after: end)...]
    } else {
      user = ""
    }
    let question = rest.firstIndex(of: "?") ?? rest.endIndex
    address = rest[..<question]
    query = rest[question...].dropFirst()
  }

  /// Tells whether the address consists of hosts, ports and a database alone.
  var hasPlainAddress: Bool {
    let plain = /[A-Za-z0-9._%-]*(\[[0-9a-fA-F:.%]+\])?(:[0-9]+)?/
    let database = address.firstIndex(of: "/") ?? address.endIndex
    let hosts = address[..<database].split(separator: ",", omittingEmptySubsequences: false)
    return hosts.allSatisfy { $0.wholeMatch(of: plain) != nil }
      && !address[database...].dropFirst().contains { "/:@".contains($0) }
  }

  /// The hosts, ports and database.
  var place: String { hasPlainAddress ? String(address) : "" }
}
