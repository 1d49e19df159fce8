/// The regions whose phones get messages, as Firebase's `smsRegionConfig` names them.
public enum MessageRegions: Hashable, Sendable {
  /// Every region gets messages, except these.
  case allExcept(Set<String>)
  /// These regions alone get messages.
  case only(Set<String>)

  /// Reads the regions of a scope's configuration; nil if it names none.
  init?(_ kept: KeptMembers) {
    guard let regions = kept.members["smsRegionConfig"] else { return nil }
    if let listed = regions["allowlistOnly"] {
      self = .only(Self.names(listed["allowedRegions"]))
    } else if let refused = regions["allowByDefault"]?["disallowedRegions"] {
      self = .allExcept(Self.names(refused))
    } else {
      return nil
    }
  }

  private static func names(_ value: JSONValue?) -> Set<String> {
    guard case .array(let names)? = value else { return [] }
    return Set(names.compactMap { $0.stringValue?.uppercased() })
  }

  /// Tells whether a number gets messages, given the regions that it may belong to.
  ///
  /// Some regions share their numbers. Such a number gets messages if one of its regions does.
  public func allows(_ candidates: Set<String>) -> Bool {
    switch self {
    case .only(let allowed): !candidates.isDisjoint(with: allowed)
    case .allExcept(let refused): candidates.isEmpty || !candidates.isSubset(of: refused)
    }
  }
}
