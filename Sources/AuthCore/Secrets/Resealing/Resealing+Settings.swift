extension Resealing {
  /// Runs a body in a transaction of its own, with a writer only if the run commits.
  func transaction(
    _ body:
      @escaping @Sendable (any AccountReader, (any AccountWriter)?) throws
      -> [ResealingFinding]
  ) async throws -> [ResealingFinding] {
    guard commits else { return try await store.read { try body($0, nil) } }
    return try await store.write { try body($0, $0) }
  }

  /// Reseals the secrets of providers, and the probe, which is made anew if another key sealed it.
  func changeSettings(of scope: Scope) async throws -> [ResealingFinding] {
    try await transaction { reader, writer in
      let old = try reader.settings(of: scope)
      var settings = old
      var findings: [ResealingFinding] = []
      for (provider, configuration) in old.providers.sorted(by: { $0.key < $1.key }) {
        for (name, text) in configuration.sealedSecrets.sorted(by: { $0.key < $1.key }) {
          let purpose = ProviderConfiguration.purpose(name, of: ProviderID(provider), in: scope)
          let (new, finding) = try resealed(
            SealedText(text, for: purpose), "\(name) of \(provider)", in: scope)
          settings.providers[provider]?.sealedSecrets[name] = new
          findings.append(finding)
        }
      }
      if let probe = old.keyProbe {
        let sealed = SealedText(probe, for: "probe \(scope)")
        var (new, finding) = try resealed(sealed, Self.probe, in: scope, canDrop: false)
        if finding.outcome == .unreadable {
          new = commits ? try key.seal("probe", for: sealed.purpose) : nil
          finding = ResealingFinding(
            scope: scope, what: Self.probe, keyID: sealed.keyID, outcome: .resealed)
        }
        settings.keyProbe = new
        findings.append(finding)
      }
      if let writer, settings != old { try writer.save(settings, for: scope) }
      return findings
    }
  }

  private static let probe = "the probe of the key"

  /// Reseals named texts, such as the keys that sign tokens.
  func changeCheckpoints(of scope: Scope) async throws -> [ResealingFinding] {
    guard scope.tenant == nil else { return [] }
    return try await transaction { reader, writer in
      try checkpoints.compactMap { checkpoint in
        guard let text = try reader.checkpoint(checkpoint.name, in: scope) else { return nil }
        let (new, finding) = try resealed(
          SealedText(text, for: checkpoint.purpose(scope.project)), checkpoint.what, in: scope)
        if let writer, new != text {
          try writer.saveCheckpoint(checkpoint.name, new, in: scope)
        }
        return finding
      }
    }
  }

  /// Reseals short-lived records: codes, pending sign-ins and messages.
  func changeRecords(of scope: Scope) async throws -> [ResealingFinding] {
    var findings: [ResealingFinding] = []
    for kind in OneTimeRecord.Kind.sealed {
      var after: String?
      repeat {
        let place = after
        let ids = try await store.read { reader in
          try reader.oneTimeRecords(kind, after: place, limit: Self.page, in: scope).map(\.id)
        }
        after = ids.last
        guard !ids.isEmpty else { break }
        findings += try await transaction { reader, writer in
          try ids.compactMap { id in
            guard var record = try reader.oneTimeRecord(id, in: scope),
              let sealed = record.sealed
            else { return nil }
            let (new, finding) = try resealed(sealed, kind.sealedName, in: scope)
            if let writer, new != record.content {
              if let new {
                record.content = new
                try writer.save(record, in: scope)
              } else {
                try writer.removeOneTimeRecord(id, in: scope)
              }
            }
            return finding
          }
        }
      } while after != nil
    }
    return findings
  }

  static let page = 500
}

extension OneTimeRecord.Kind {
  /// The kinds with sealed content.
  fileprivate static let sealed: [Self] = [
    .code, .actionCode, .authorization, .pending, .enrollment, .message,
  ]

  fileprivate var sealedName: String {
    switch self {
    case .code: "a code that was sent"
    case .actionCode: "a link that was sent"
    case .authorization: "a sign-in at a vendor"
    case .pending: "a sign-in that waits for a second factor"
    case .enrollment: "an enrolment of a second factor"
    case .message: "a message that waits to be sent"
    case .used, .attempts, .deletion, .transfer: rawValue
    }
  }
}

extension OneTimeRecord {
  /// The content with the purpose it is sealed for; nil if it is not sealed.
  fileprivate var sealed: SealedText? {
    guard content.hasPrefix("sealed:") else { return nil }
    let purpose: String? =
      switch kind {
      case .code: "code \(id)"
      case .actionCode: id
      case .authorization: authorizationPurpose
      case .pending: PendingOperation.purpose(id)
      case .enrollment: OpenEnrollment.purpose(id)
      case .message: WaitingMessage(self).map { WaitingMessage.purpose($0.handle) }
      case .used, .attempts, .deletion, .transfer: nil
      }
    return purpose.map { SealedText(content, for: $0) }
  }

  private var authorizationPurpose: String {
    if let state = AccountGraph.state(ofReturn: id) { return AccountGraph.returnPurpose(state) }
    if let token = KeptCredential.token(ofRecord: id) { return KeptCredential.purpose(token) }
    return OpenAuthorization.purpose(id)
  }
}
