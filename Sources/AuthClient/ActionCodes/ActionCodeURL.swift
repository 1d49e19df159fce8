import AuthValues
public import Foundation

/// The parts of an e-mail link.
#if canImport(ObjectiveC)
  @objc(FIRActionCodeURL)
#endif
public final class ActionCodeURL: NSObject, Sendable {
  /// The API key of the project that sent the link.
  public let apiKey: String?
  /// The operation of the link; `unknown` if the link names none.
  public let operation: ActionCodeOperation
  /// The code, a secret of the e-mail's recipient.
  public let code: String?
  /// The URL to which the app sends the person afterwards.
  public let continueURL: URL?
  /// The language of the e-mail, such as `de`.
  public let languageCode: String?

  /// Parses a link; nil if the text has no query.
  ///
  /// A link nested in the parameter `link` or `deep_link_id` of another one is found too.
  public init?(link: String) {
    guard let fields = Self.fields(of: link) else { return nil }
    apiKey = fields["apiKey"]
    operation = ActionCodeOperation(wire: fields["mode"])
    code = fields["oobCode"]
    continueURL = fields["continueUrl"].flatMap { URL(string: $0) }
    languageCode = fields["lang"]
  }

  /// The operation of the link, never its code.
  public override var description: String { "ActionCodeURL (\(operation))" }

  /// The same as ``description``.
  public override var debugDescription: String { description }
}

extension ActionCodeURL: CustomReflectable {
  /// Shows the operation, never the code.
  public var customMirror: Mirror { Mirror(self, children: ["operation": operation]) }

  /// Returns the fields of the innermost link, or of the outer one if no inner one has a code.
  private static func fields(of link: String, depth: Int = 0) -> [String: String]? {
    let outer = query(of: link)
    guard !outer.isEmpty else { return nil }
    if outer["oobCode"] != nil || depth == 3 { return outer }
    for name in ["link", "deep_link_id"] {
      if let inner = outer[name], let fields = fields(of: inner, depth: depth + 1),
        fields["oobCode"] != nil
      {
        return fields
      }
    }
    return outer
  }

  /// Returns the parameters of a query; the first of several with the same name.
  private static func query(of link: String) -> [String: String] {
    guard let start = link.firstIndex(of: "?") else { return [:] }
    let query = link[link.index(after: start)...].prefix { $0 != "#" }
    let fields = URLText.fields(of: String(query))
    return Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}
