/// Merges of two accounts that one person is signed in to. These operations are AuthGraph's own.
extension Route {
  static let merging: [Route] = [
    Route(
      .post, "/v1/accounts:planMerge", access: .key, name: "identitytoolkit.accounts.planMerge",
      fields: mergeFields
    ) { try await MergeHandler($0).plan() },
    Route(
      .post, "/v1/accounts:merge", access: .key, name: "identitytoolkit.accounts.merge",
      fields: mergeFields
    ) { try await MergeHandler($0).merge() },
  ]

  private static let mergeFields: [RouteField] = [
    "idToken", "absorbIdToken", "policy", .map("revisions", most: 10), "tenantId",
    "targetProjectId",
  ]
}
