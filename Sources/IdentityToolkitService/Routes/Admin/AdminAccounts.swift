import AuthCore
import IdentityToolkit
import SessionTokens

extension AdminOperation {
  private static let one = "/projects/{project}/accounts/{uid}"

  static let accounts: [AdminOperation] = [
    AdminOperation(
      method: .get, path: "/projects/{project}/accounts", id: "listAccounts",
      summary: "Lists the accounts that meet all conditions, by uid.", needs: .readAccounts,
      query: [
        Schema.Member("email", Schema.text, "The top-level address, in any spelling."),
        Schema.Member("phoneNumber", Schema.text, "The number in E.164 form."),
        Schema.Member("providerID", Schema.text, "A provider that the account is linked to."),
        Schema.Member("subject", Schema.text, "The provider's subject."),
        Schema.Member("displayName", Schema.text, "The whole name."),
        Schema.Member("disabled", Schema.flag, "Whether the account is disabled."),
        Schema.Member(
          "limit", Schema.number, "The maximum number of results; 100 by default, at most 1,000."),
        Schema.Member("pageToken", Schema.text, "The nextPageToken of the previous page."),
      ], answer: Schema.page("accounts", of: "Account")
    ) { try await $0.listAccounts() },
    AdminOperation(
      method: .get, path: one, id: "getAccount",
      summary: "Shows an account; an absorbed uid leads to the survivor.",
      needs: .readAccounts, answer: OpenAPI.reference("Account"),
      errors: [404: "There is no such account."]
    ) { try await $0.showAccount() },
    AdminOperation(
      method: .get, path: "\(one)/events", id: "listEventsOfAccount",
      summary: "The events of an account and of those that it absorbed, newest first.",
      needs: .audit,
      query: [
        Schema.Member("limit", Schema.number, "The maximum number of results; 100 by default."),
        Schema.Member("pageToken", Schema.text, "The nextPageToken of the previous page."),
      ], answer: Schema.page("events", of: "Event")
    ) { try await $0.listHistory() },
    AdminOperation(
      method: .post, path: "\(one):delete", id: "deleteAccount",
      summary: "Deletes an account, which can be restored for a time.", needs: .writeAccounts,
      body: [
        Schema.Member("forever", Schema.flag, "Keep nothing, so that it cannot be restored.")
      ] + writing, answer: OpenAPI.reference("Receipt"),
      errors: [404: "There is no such account."]
    ) { try await $0.deleteAccount() },
    AdminOperation(
      method: .post, path: "\(one):restore", id: "restoreAccount",
      summary: "Restores a deleted account, without earlier sessions and codes.",
      needs: .writeAccounts,
      body: [
        Schema.Member("force", Schema.flag, "Leave out what other accounts have now.")
      ] + writing, answer: OpenAPI.reference("Receipt"),
      errors: [
        404: "No such deleted account is kept.",
        409: "Other accounts have something of it now; the message names it.",
      ]
    ) { try await $0.restoreAccount() },
    AdminOperation(
      method: .post, path: "\(one):purge", id: "purgeAccount",
      summary: "Removes what is kept of a deleted account; its uid becomes free.",
      needs: .writeAccounts, body: writing, answer: OpenAPI.reference("Receipt"),
      errors: [404: "No such deleted account is kept."]
    ) { try await $0.purgeAccount() },
  ]

  static let duplicates: [AdminOperation] = [
    AdminOperation(
      method: .get, path: "/projects/{project}/duplicates", id: "listDuplicates",
      summary: "Addresses or numbers that several accounts have.", needs: .readAccounts,
      query: [
        Schema.Member(
          "by", Schema.choice(DuplicateKey.allCases.map(\.rawValue)), "The shared field.",
          required: true),
        Schema.Member("limit", Schema.number, "The maximum number of results; 100 by default."),
        Schema.Member("pageToken", Schema.text, "The nextPageToken of the previous page."),
      ], answer: Schema.page("duplicates", of: "DuplicateGroup")
    ) { try await $0.listDuplicates() }
  ]
}

extension AdminHandler {
  fileprivate func listAccounts() async throws -> Answer {
    var filter = AccountFilter()
    filter.email = try query.filled("email").map { try EmailAddress($0) }
    filter.phoneNumber = try query.filled("phoneNumber").map { try PhoneNumber(normalizing: $0) }
    filter.providerID = try query.filled("providerID").map { ProviderID($0) }
    filter.subject = try query.filled("subject")
    filter.displayName = try query.filled("displayName")
    filter.disabled = try query.bool("disabled")
    let limit = try pageLimit()
    let after = try PageToken(query.filled("pageToken")).last
    let page = try await graph.accounts(
      matching: filter, after: after.map { AccountID($0) }, limit: limit, in: scope)
    return .page(
      "accounts", page.map(\.adminJSON), next: page.count == limit ? page.last?.id.rawValue : nil)
  }

  fileprivate func showAccount() async throws -> Answer {
    guard let account = try await graph.account(AccountID(path["uid"] ?? ""), in: scope) else {
      throw WireError.notFound
    }
    return .json(account.adminJSON)
  }

  fileprivate func listHistory() async throws -> Answer {
    let limit = try pageLimit()
    let before = try PageToken(query.filled("pageToken")).last
    let events = try await graph.history(
      of: AccountID(path["uid"] ?? ""), before: before.flatMap { Int64($0) }, limit: limit,
      in: scope)
    let last = events.count == limit ? events.last : nil
    return .page("events", events.map(shown), next: last.map { "\($0.sequence)" })
  }

  private var uid: AccountID { AccountID(path["uid"] ?? "") }

  fileprivate func deleteAccount() async throws -> Answer {
    let caller = try administrator()
    if !caller.dryRun { try caller.requireReasonForDeletion() }
    let isForever = try body.bool("forever") ?? false
    return .json(try await graph.delete(uid, restorable: !isForever, by: caller).adminJSON)
  }

  fileprivate func restoreAccount() async throws -> Answer {
    let receipt = try await graph.restore(
      uid, force: try body.bool("force") ?? false, by: try administrator())
    return .json(receipt.adminJSON)
  }

  fileprivate func purgeAccount() async throws -> Answer {
    .json(try await graph.purge(uid, by: try administrator()).adminJSON)
  }

  fileprivate func listDuplicates() async throws -> Answer {
    guard let key = try query.filled("by").flatMap(DuplicateKey.init) else {
      throw AuthError(
        .invalidArgument, "The parameter by is missing or unknown.", field: "by",
        remedy: "Set it to one of \(DuplicateKey.allCases.map(\.rawValue).joined(separator: ", "))."
      )
    }
    let limit = try pageLimit()
    let after = try PageToken(query.filled("pageToken")).last
    let groups = try await graph.duplicates(by: key, after: after, limit: limit, in: scope)
    return .page(
      "duplicates",
      groups.map { group in
        [
          "key": .string(group.key),
          "accounts": .array(group.accounts.map { .string($0.rawValue) }),
        ]
      }, next: groups.count == limit ? groups.last?.key : nil)
  }
}

extension Answer {
  /// Returns a page of entries, with the token of the next page if there is one.
  static func page(_ name: String, _ entries: [JSONValue], next: String?) -> Answer {
    var body: [String: JSONValue] = [name: .array(entries)]
    body.put("nextPageToken", next.map { PageToken(last: $0).text })
    return .json(.object(body))
  }
}
