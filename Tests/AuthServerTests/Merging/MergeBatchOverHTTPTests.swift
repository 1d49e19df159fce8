import AuthCore
import AuthTesting
import Testing

@testable import IdentityToolkitService

@Suite(.serialized) struct `Merges of a batch over HTTP` {
  @Test func `name their batch`() async throws {
    try await withServer(.production) { home in
      let (ada, bo) = try await home.twoAccounts()
      let pair = MergePair(keep: AccountID(ada.uid), absorb: AccountID(bo.uid))
      let planned = try await home.graph.propose(
        [(pair, .merge, "")], after: MergeSimulation(), entries: MergeBatchEntries(),
        replanning: false, in: home.scope)
      let (receipt, _) = try await home.graph.commit(
        planned.proposals[0], ofBatch: "november", after: [:],
        by: Caller(scope: home.scope, authority: .admin("ada")))

      let path = "/admin/v1/projects/\(ServerHome.project)"
      let list = try await home.admin("GET", "\(path)/merges")
      let event = try await home.admin("GET", "\(path)/events/\(receipt.id)")

      #expect(list.json["merges"]?.items.first?["batch"]?.stringValue == "november", "\(list.text)")
      #expect(event.json["details"]?["batch"]?.stringValue == "november", "\(event.text)")
    }
  }
}
