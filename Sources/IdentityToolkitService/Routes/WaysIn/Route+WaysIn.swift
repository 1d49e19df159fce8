/// The ways into one's own account. These operations are AuthGraph's own.
extension Route {
  static let waysIn: [Route] = [
    Route(
      .post, "/v1/accounts:waysIn", access: .key, name: "identitytoolkit.accounts.waysIn",
      fields: ["idToken", "tenantId", "targetProjectId"]
    ) { try await WaysInHandler($0).list() },
    Route(
      .post, "/v1/accounts:endWaysIn", access: .key, name: "identitytoolkit.accounts.endWaysIn",
      fields: [
        "idToken", .list("waysIn", most: RouteBounds.waysIn), .flag("returnSecureToken"),
        "tenantId", "targetProjectId",
      ]
    ) { try await WaysInHandler($0).end() },
  ]
}
