import AuthCore
import Foundation
import SQLAccounts

/// The way in which a transaction announces its changes to other servers.
struct Announcing: Sendable {
  let channel: String
  let way: ConnectionOptions.Announcements

  init(schema: String, way: ConnectionOptions.Announcements) {
    channel = "authgraph_\(schema)"
    self.way = way
  }

  func statement(_ change: StoreChange) -> SQLStatement {
    switch way {
    case .notify:
      SQLStatement("SELECT pg_notify(?, ?)", [.string(channel), .string(payload(change))])
    case .poll: SQLStatement("UPDATE changes SET number = number + 1", [])
    }
  }

  /// The maximum length of a payload in bytes.
  ///
  /// PostgreSQL allows 8000. A change with a longer name is announced as `anything`.
  private static let longestPayload = 7000

  private func payload(_ change: StoreChange) -> String {
    let words: [String?] =
      switch change {
      case .checkpoint(let name, let scope): ["checkpoint", scope.project, scope.tenant, name]
      case .settings(let scope): ["settings", scope.project, scope.tenant]
      case .anything: ["anything"]
      }
    let text = (try? JSONEncoder().encode(words)).map { String(decoding: $0, as: UTF8.self) }
    guard let text, text.utf8.count <= Self.longestPayload else { return "[\"anything\"]" }
    return text
  }

  static func change(payload: String) -> StoreChange {
    let words = (try? JSONDecoder().decode([String?].self, from: Data(payload.utf8))) ?? []
    guard words.count >= 3, let project = words[1] else { return .anything }
    let scope = Scope(project: project, tenant: words[2])
    switch words[0] {
    case "settings": return .settings(scope)
    case "checkpoint": return words.count > 3 ? .checkpoint(words[3] ?? "", scope) : .anything
    default: return .anything
    }
  }
}
