import AuthCore

/// Looks at what the store keeps for a while: when it was swept, and how old the oldest is.
struct SweepHealthCheck {
  let store: any AccountStore
  let projects: [String]

  /// How late a sweep may be before that is a warning, in seconds.
  private static let lateness: Int64 = 86_400

  func run() async -> [Diagnosis] {
    do {
      var diagnoses = [try await sweep()]
      for project in projects { diagnoses.append(try await lifetimes(of: project)) }
      return diagnoses
    } catch {
      return [.wrong("sweep", error)]
    }
  }

  private func sweep() async throws -> Diagnosis {
    let now = Timestamp.now()
    let last = try await SweepState.last(in: store)
    let first = try await store.sweep {
      try $0.expiredRecords(by: now, limit: 1).first?.record.expiresAt
    }
    let waiting = first.map { now.milliseconds - $0.milliseconds } ?? 0
    let text = last.map { "Everything was swept at \($0.text)." } ?? "Nothing was swept yet."
    guard waiting > Self.lateness * 1000 else { return .ok("sweep", text) }
    return .warning(
      "sweep",
      "\(text) The oldest expired record ended at \(first?.text ?? "-"). Keep a server running on the store, or run "
        + "authgraph store sweep.")
  }

  private func lifetimes(of project: String) async throws -> Diagnosis {
    let scope = Scope(project: project)
    let settings = try await store.settings(of: scope)
    let oldest = try await store.sweep {
      try $0.oldestEvents(after: 0, limit: 1, in: scope).first?.at
    }
    return .ok(
      "sweep",
      "\(project) keeps events \(Self.days(settings.eventRetentionDays)), unused sessions "
        + "\(Self.days(settings.sessionRetentionDays)) and merges that ended "
        + "\(settings.mergeRetentionDays) days. Its oldest event is of \(oldest?.text ?? "no day yet")."
    )
  }

  private static func days(_ number: Int) -> String {
    number == 0 ? "for ever" : "\(number) days"
  }
}
