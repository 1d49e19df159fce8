extension PolicyVersion {
  /// The checkpoint that keeps a version; settings keep only the texts in use, because each sign-in reads them.
  static func checkpoint(_ number: Int) -> String { "policy-version:\(number)" }

  /// The write that adds the version to the history.
  func write() throws -> StoreWrite {
    .saveCheckpoint(Self.checkpoint(number), try JSONText.encode(self))
  }
}

extension AccountReader {
  /// Returns a version of a scope's history; nil if there is none of this number.
  func policyVersion(_ number: Int, in scope: Scope) throws -> PolicyVersion? {
    guard let text = try checkpoint(PolicyVersion.checkpoint(number), in: scope) else { return nil }
    return try JSONText.decode(PolicyVersion.self, text)
  }
}
