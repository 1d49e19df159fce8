import AuthCore

/// Checks temporary data of the store: the time of the last sweep, and the age of the oldest entry.
struct SweepHealthCheck {
  let store: any AccountStore
  let projects: [String]

  /// The seconds by which a sweep may be late before a warning is given.
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
        + "\(Self.days(settings.sessionRetentionDays)) and ended merges "
        + "\(settings.mergeRetentionDays) days. Its oldest event: \(oldest?.text ?? "none")."
    )
  }

  private static func days(_ number: Int) -> String {
    number == 0 ? "for ever" : "\(number) days"
  }
}
