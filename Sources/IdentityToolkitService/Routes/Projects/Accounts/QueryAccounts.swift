import AuthCore
import IdentityToolkit

/// Search and count of accounts (`accounts:query`, `projects:queryAccounts`).
extension AccountBatchHandler {
  func queryAccounts() async throws -> Answer {
    let wanted = try AccountQuery(body, limit: behavior.queryLimit)
    if let id = wanted.uid {
      let account = try await graph.account(id, in: scope)
      let found = account.map { $0.id == id ? [$0] : [] } ?? []
      return try answer(found, wanted)
    }
    guard wanted.returnsAccounts else {
      let count = try await graph.accountCount(
        matching: wanted.filter ?? AccountFilter(), in: scope)
      return .json(["recordsCount": .string("\(count)")])
    }
    let end = wanted.limit.map { $0 + wanted.offset } ?? .max
    var found: [Account] = []
    // The list is sorted once it has doubled, so that the cost of a page does not grow with its offset.
    let most = end.addingReportingOverflow(max(end, 1000))
    try await forEachPage(matching: wanted.filter ?? AccountFilter()) { page in
      found += page
      if !most.overflow, found.count >= most.partialValue {
        found = Array(found.sorted(by: wanted.areInOrder).prefix(end))
      }
    }
    found = Array(found.sorted(by: wanted.areInOrder).prefix(end))
    return try answer(Array(found.dropFirst(wanted.offset)), wanted)
  }

  private func answer(_ found: [Account], _ wanted: AccountQuery) throws -> Answer {
    var answer: [String: JSONValue] = ["recordsCount": .string("\(found.count)")]
    if wanted.returnsAccounts {
      answer["userInfo"] = .array(try found.map { try call.userRecord($0).value })
    }
    return .json(.object(answer))
  }
}

/// The request of `accounts:query`.
struct AccountQuery: Sendable {
  static let fields: [RouteField] = [
    .flag("returnUserInfo"), .number("limit"), .number("offset"), "sortBy", "order",
    .list("expression", most: 10, of: ["email", "phoneNumber", "userId"]), "tenantId",
  ]

  static let sortFields = [
    "SORT_BY_FIELD_UNSPECIFIED", "USER_ID", "NAME", "CREATED_AT", "LAST_LOGIN_AT", "USER_EMAIL",
  ]
  static let orders = ["ORDER_UNSPECIFIED", "ASC", "DESC"]
  static let maximum = 500

  let returnsAccounts: Bool
  /// The maximum number of accounts to return; nil for all.
  let limit: Int?
  let offset: Int
  private(set) var filter: AccountFilter?
  /// The uid, if the query is for one account.
  private(set) var uid: AccountID?
  private let sortBy: String
  private let isDescending: Bool

  /// Reads a query, with the limit `usual` if it names none.
  init(_ body: WireFields, limit usual: Int?) throws {
    let expressions = try body.objects("expression") ?? []
    returnsAccounts = try body.bool("returnUserInfo") ?? true
    let asked = try body.integer("limit") ?? 0
    let start = try body.integer("offset") ?? 0
    sortBy =
      try body.choice("sortBy", Self.sortFields).flatMap {
        $0 == Self.sortFields[0] ? nil : $0
      } ?? "USER_ID"
    isDescending = try body.choice("order", Self.orders) == "DESC"
    guard Self.sortFields.contains(sortBy) else {
      throw WireError.unknownChoice(
        "/sortBy", of: "v1.SortByField", sortBy, names: Self.sortFields)
    }
    guard (0...Int64(Self.maximum)).contains(asked) else {
      throw WireError("INVALID_ARGUMENT", "limit is at most \(Self.maximum).")
    }
    guard (0...1_000_000).contains(start) else {
      throw WireError("INVALID_ARGUMENT", "offset is at most 1000000.")
    }
    limit = asked == 0 ? usual : Int(asked)
    offset = Int(start)
    if let expression = expressions.first { try read(expression) }
  }

  /// Reads an expression, in which only the first of address, number and uid counts.
  private mutating func read(_ expression: WireFields) throws {
    if let email = try expression.filled("email") {
      filter = AccountFilter()
      filter?.email = try EmailAddress(email)
    } else if let number = try expression.filled("phoneNumber") {
      filter = AccountFilter()
      filter?.phoneNumber = try PhoneNumber(normalizing: number)
    } else {
      uid = try expression.filled("userId").map { AccountID($0) }
    }
  }

  /// Compares two accounts by the sort order, and equal ones by uid.
  func areInOrder(_ a: Account, _ b: Account) -> Bool {
    let order = isDescending ? -1 : 1
    let comparison =
      switch sortBy {
      case "NAME": Self.compare(a.displayName ?? "", b.displayName ?? "")
      case "CREATED_AT": Self.compare(a.createdAt, b.createdAt)
      case "LAST_LOGIN_AT":
        Self.compare(a.lastSignInAt?.milliseconds ?? 0, b.lastSignInAt?.milliseconds ?? 0)
      case "USER_EMAIL": Self.compare(a.email?.text ?? "", b.email?.text ?? "")
      default: Self.compare(a.id, b.id)
      }
    return comparison == 0 ? a.id < b.id : comparison * order < 0
  }

  private static func compare<Value: Comparable>(_ a: Value, _ b: Value) -> Int {
    a < b ? -1 : b < a ? 1 : 0
  }
}
