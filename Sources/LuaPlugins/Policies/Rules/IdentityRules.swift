import AuthCore
import LuaRuntime

/// The rules by provider for identities that both accounts have: which account's stay.
///
/// For `password` the rule also chooses the address, because an account has one password, of its own address.
struct IdentityRules {
  enum Rule: String, CaseIterable {
    case both, keep, theirs, newest, oldest
    /// The one by which a person signed in last.
    case lastUsed = "last-used"
    /// The password that was set last.
    case lastSet = "last-set"
  }

  private var rules: [ProviderID: Rule] = [:]

  init() {}

  /// Reads the table; throws `invalid-argument` for an unknown rule.
  init(_ table: LuaTable) throws(AuthError) {
    for (name, value) in table.fields {
      guard let rule = value.stringValue.flatMap(Rule.init(rawValue:)) else {
        let given = value.stringValue.map { "\"\($0)\"" } ?? value.typeName
        throw AuthError(
          .invalidArgument, "identities has \(given) for \(name), which is no rule.",
          field: "identities",
          remedy: "Use \(Rule.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      guard rule != .lastSet || ProviderID(name) == .password else {
        throw AuthError(
          .invalidArgument, "identities has last-set for \(name), which is no password.",
          field: "identities", remedy: "Use newest for the one that was linked later, or last-used."
        )
      }
      rules[ProviderID(name)] = rule
    }
  }

  var isEmpty: Bool { rules.isEmpty }

  var lua: LuaValue {
    .table(
      LuaTable(
        fields: Dictionary(
          uniqueKeysWithValues: rules.map { ($0.rawValue, .string($1.rawValue)) })))
  }

  /// Applies the rules to a merge of two accounts.
  func apply(to merge: inout MergeRules, _ kept: Account, _ other: Account) throws(AuthError) {
    for (provider, rule) in rules.sorted(by: { $0.key < $1.key }) where rule != .both {
      let (a, b) = (kept.identities(of: provider), other.identities(of: provider))
      guard let first = a.first, let second = b.first else { continue }
      let keptStays =
        switch rule {
        case .both, .keep: true
        case .theirs: false
        case .newest: first.linkedAt >= second.linkedAt
        case .oldest: first.linkedAt <= second.linkedAt
        case .lastUsed: a.lastUse >= b.lastUse
        case .lastSet: first.setAt >= second.setAt
        }
      guard provider != .password else {
        try choosePassword(of: keptStays ? kept : other, &merge)
        continue
      }
      let lost = (keptStays ? b : a).map(\.key)
      merge.droppedIdentities += lost.filter { !merge.droppedIdentities.contains($0) }
    }
  }

  private func choosePassword(of account: Account, _ merge: inout MergeRules) throws(AuthError) {
    guard let email = account.email, account.passwordIdentity != nil else { return }
    guard merge.fields[.email] == nil else {
      throw AuthError(
        .invalidArgument, "identities.password and fields.email both choose the address.",
        field: "identities", remedy: "Keep one of the two rules.")
    }
    merge.fields[.email] = .value(.string(email.text))
  }
}

extension [Identity] {
  /// The last sign-in with one of them; one without any comes before all others.
  fileprivate var lastUse: Timestamp {
    compactMap(\.lastSignInAt).max() ?? Timestamp(milliseconds: 0)
  }
}

extension Identity {
  /// The time at which the password was set, or else linked.
  fileprivate var setAt: Timestamp { secret?.changedAt ?? linkedAt }
}
