/// Merges of two accounts that one person is signed in to, and moves of an identity between them.
///
/// These operations are AuthGraph's own.
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
    Route(
      .post, "/v1/accounts:move", access: .key, name: "identitytoolkit.accounts.move",
      fields: moveFields
    ) { try await MoveHandler($0).move() },
  ]

  private static let mergeFields: [RouteField] = [
    "idToken", "absorbIdToken", "policy", .map("revisions", most: 10), "tenantId",
    "targetProjectId",
  ]

  /// The two sessions, and the credential as the operations of a sign-in take it.
  private static let moveFields: [RouteField] = [
    "idToken", "sourceIdToken", "email", "password", "oobCode", "sessionInfo", "code",
    "phoneNumber", "temporaryProof", "requestUri", "postBody", "sessionId", "pendingToken",
    "tenantId", "targetProjectId",
  ]
}
