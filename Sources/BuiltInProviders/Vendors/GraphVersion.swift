public import AuthCore

/// The versions of Facebook's Graph API.
///
/// A version works for two years after the release of the next one. Calls to a version that is over go to the oldest
/// usable one, which changes without notice (developers.facebook.com/docs/graph-api/guides/versioning).
public enum GraphVersion {
  /// The version that is used if none is configured.
  public static let usual = "v24.0"

  /// The releases by Facebook's changelog, in order.
  private static let releases = [
    ("v19.0", "2024-01-23"), ("v20.0", "2024-05-21"), ("v21.0", "2024-10-02"),
    ("v22.0", "2025-01-21"), ("v23.0", "2025-05-29"), ("v24.0", "2025-10-08"),
  ]

  /// Returns the day from which a version does not work, as YYYY-MM-DD; nil if it is not known yet.
  ///
  /// A version before the first known one is over since that one's first day.
  public static func end(of version: String) -> String? {
    guard let index = releases.firstIndex(where: { $0.0 == version }) else {
      return number(of: version) < number(of: releases[0].0) ? releases[0].1 : nil
    }
    guard index + 1 < releases.count, let year = Int(releases[index + 1].1.prefix(4)) else {
      return nil
    }
    return "\(year + 2)\(releases[index + 1].1.dropFirst(4))"
  }

  /// Tells whether a version is over at a time.
  public static func isOver(_ version: String, at now: Timestamp) -> Bool {
    end(of: version).map { now.text.prefix(10) >= $0 } ?? false
  }

  /// Returns the configured version; throws `operation-not-allowed` if it is malformed.
  public static func configured(_ settings: ProviderSettings) throws(AuthError) -> String {
    let version = settings.text("graphVersion") ?? usual
    guard version.wholeMatch(of: /v[0-9]{1,3}\.[0-9]{1,3}/) != nil else {
      throw AuthError(
        .operationNotAllowed, "The version of the Graph API has another shape.",
        field: "graphVersion", remedy: "Write it as \(usual).", step: .credential)
    }
    return version
  }

  private static func number(of version: String) -> Int {
    Int(version.dropFirst().prefix { $0.isNumber }) ?? .max
  }
}
