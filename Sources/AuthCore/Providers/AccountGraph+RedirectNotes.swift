extension AccountGraph {
  /// Stores the destination of a browser that returns from a vendor, sealed and under the sign-in's state.
  ///
  /// The scope is the one in which the callback looks for it, which may differ from the scope of the sign-in. Throws
  /// `invalid-argument` for a note of more than 16,384 bytes.
  public func storeRedirectNote(
    _ note: JSONValue, of authorization: Authorization, in scope: Scope
  ) async throws {
    guard note.size <= Self.maximumNote else {
      throw AuthError(
        .invalidArgument, "The data that a browser brings back has at most 16,384 bytes.",
        field: "continueUri", remedy: "Keep it in the app, and shorten the URL and the event's ID.",
        step: .state)
    }
    let state = authorization.state
    let record = OneTimeRecord(
      id: Self.returnID(state), kind: .authorization, expiresAt: authorization.expiresAt,
      content: try services.quietSecrets.seal(
        try JSONText.encode(note), for: Self.returnPurpose(state)))
    try await store.write { writer in
      try writer.requireTenant(scope)
      try writer.save(record, in: scope)
    }
  }

  /// Removes and returns the note of a callback's state, so that it works for one callback.
  ///
  /// Nil for a state that is unknown, used or expired.
  public func redeemRedirectNote(_ state: String, in scope: Scope) async throws -> JSONValue? {
    let now = clock()
    let id = Self.returnID(state)
    let record = try await store.write { writer -> OneTimeRecord? in
      guard let record = try writer.oneTimeRecord(id, in: scope) else { return nil }
      try writer.removeOneTimeRecord(id, in: scope)
      return record
    }
    guard let record, record.expiresAt > now else { return nil }
    return try JSONText.decode(
      JSONValue.self,
      try services.quietSecrets.open(record.content, for: Self.returnPurpose(state)))
  }

  /// A URL of 8,192 bytes, and as much for other data.
  private static let maximumNote = 16 << 10

  private static func returnID(_ state: String) -> String { "return:\(state)" }
  static func returnPurpose(_ state: String) -> String { "return \(state)" }

  /// Returns the state of a redirect note's record; nil for any other record.
  static func state(ofReturn id: String) -> String? {
    id.hasPrefix("return:") ? String(id.dropFirst("return:".count)) : nil
  }
}
