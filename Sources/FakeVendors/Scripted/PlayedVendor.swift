public import AuthCore

/// The paths and answers of a vendor that a scripted identity provider plays for a plug-in.
///
/// A path may have the segment `*`, which stands for any one, such as the app in `/applications/*/token`.
public struct PlayedVendor: Hashable, Sendable {
  /// One answer of the vendor.
  public struct Answer: Hashable, Sendable {
    /// The path, without a query.
    public var path: String
    /// The body, with the placeholders of ``ScriptedRoute`` and `{client_id}`, `{access_token}`, `{refresh_token}` and
    /// `{id_token}`; nil for the usual one.
    public var json: JSONValue?

    /// Makes an answer.
    public init(_ path: String, json: JSONValue? = nil) {
      self.path = path
      self.json = json
    }
  }

  /// The ID of the plug-in.
  public var id: String
  /// The vendor's hosts, for which the provider has to stand in.
  public var hosts: [String] = []
  /// The settings that hold the app's ID.
  public var identifiers = ["clientID"]
  /// The settings that hold the app's secret.
  public var secrets = ["clientSecret"]
  /// The settings, other than those of the app, under which the plug-in requests these hosts.
  public var settings: [String: JSONValue] = [:]
  /// The paths of the page for browsers.
  public var authorize: [String] = []
  /// The answers to a code or a refresh token.
  public var token: [Answer] = []
  /// The answers to a request with an access token, in its header, query, form, JSON or path.
  public var described: [Answer] = []
  /// The paths that end a token.
  public var revoke: [String] = []
  /// The paths of the keys of ID tokens.
  public var keys: [String] = []

  /// Makes a vendor without paths.
  public init(id: String) {
    self.id = id
  }

  /// Every path with its purpose, for people.
  var paths: [(purpose: String, path: String)] {
    authorize.map { ("authorize", $0) } + token.map { ("token", $0.path) }
      + described.map { ("answers", $0.path) } + revoke.map { ("revoke", $0) }
      + keys.map { ("keys", $0) }
  }

  static func matches(_ pattern: String, _ path: String) -> Bool {
    let (wanted, given) = (
      pattern.split(separator: "/", omittingEmptySubsequences: false),
      path.split(separator: "/", omittingEmptySubsequences: false)
    )
    return wanted.count == given.count && zip(wanted, given).allSatisfy { $0 == "*" || $0 == $1 }
  }
}
