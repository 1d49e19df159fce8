/// A property of a safe policy, which holds for every conflict.
public enum PolicyProperty: String, CaseIterable, Sendable, Hashable {
  /// It answers without an error, within its limits, and its plans are valid.
  case total = "answers every case"
  /// The same account survives if the two change sides, or both are left alone.
  case symmetric = "same survivor if swapped"
  /// It merges only accounts that were both proven.
  case proven = "no merge without proof"
  /// Every way to sign in and every second factor is kept, or dropped by name.
  case lossless = "loses no way in, no factor"
  /// The same account survives in whichever order three are merged.
  case ordered = "same survivor of three"
  /// The answer does not change from one millisecond to the next.
  case steady = "same answer a moment later"
}

/// Conflicts in which a policy lacks a property, or has it in a way that deserves attention.
public struct PolicyFinding: Sendable, Hashable {
  /// The property.
  public let property: PolicyProperty
  /// True if the policy is unsafe; false for a remark.
  public let isFault: Bool
  /// The answer that was found, in a sentence.
  public let text: String
  /// The smallest conflict in words.
  public let pair: String
  /// The number of conflicts that were found.
  public let cases: Int
  /// The smallest conflict as an example for the policy's file, which says what should happen.
  public let example: String
}

/// A finding before its smallest conflict is known.
struct FindingKey: Hashable {
  let property: PolicyProperty
  let isFault: Bool
  /// The mark that two findings of one kind share.
  let kind: String
}
