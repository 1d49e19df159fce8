import AuthValues
public import Foundation

/// A link of an e-mail, taken apart.
#if canImport(ObjectiveC)
  @objcMembers @objc(FIRActionCodeURL)
#endif
public final class ActionCodeURL: NSObject, Sendable {
  /// The API key of the project that sent the link.
  public let apiKey: String?
  /// What the link does; `unknown` where it does not say.
  public let operation: ActionCodeOperation
  /// The code: a secret of whoever got the e-mail.
  public let code: String?
  /// Where the app sends its user afterwards.
  public let continueURL: URL?
  /// The language of the e-mail, such as `de`.
  public let languageCode: String?

  /// Takes a link apart; nil where the text has no query.
  ///
  /// A link that another one carries as its `link` or `deep_link_id` is found too.
  public init?(link: String) {
    guard let fields = Self.fields(of: link) else { return nil }
    apiKey = fields["apiKey"]
    operation = ActionCodeOperation(wire: fields["mode"])
    code = fields["oobCode"]
    continueURL = fields["continueUrl"].flatMap { URL(string: $0) }
    languageCode = fields["lang"]
  }

  /// What the link does; never its code.
  public override var description: String { "ActionCodeURL (\(operation))" }

  public override var debugDescription: String { description }
}

extension ActionCodeURL: CustomReflectable {
  public var customMirror: Mirror { Mirror(self, children: ["operation": operation]) }

  /// The fields of the innermost link, or of the outer one where no inner one has a code.
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

  /// The parameters of a query; of one that is there twice, the first.
  private static func query(of link: String) -> [String: String] {
    guard let start = link.firstIndex(of: "?") else { return [:] }
    let query = link[link.index(after: start)...].prefix { $0 != "#" }
    let fields = URLText.fields(of: String(query))
    return Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}
