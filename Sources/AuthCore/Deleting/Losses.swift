/// The data of an account that a change takes from it, as a dry run shows it.
public struct Losses: Hashable, Sendable {
  /// The identities that go.
  public var identities: [IdentityKey] = []
  /// The address, if it goes.
  public var email: EmailAddress?
  /// The number, if it goes.
  public var phoneNumber: PhoneNumber?
  /// The second factors that go, each with its kind and a masked number.
  public var secondFactors: [String] = []
  /// The uids that lead to the account and are freed.
  public var absorbed: [AccountID] = []
  /// The number of ways to sign in that remain; 0 if no person can sign in afterwards.
  public var waysIn = 0
  /// The time until which an admin can restore a deleted account; nil if it cannot be restored, or was not deleted.
  public var restorableUntil: Timestamp?

  /// Returns the losses of an account by a change; nil for a deletion.
  init(from old: Account, to new: Account?, _ ways: WaysIn) {
    identities = old.identities.keys.filter { new?.identity($0) == nil }
    if old.email != nil, new?.email == nil { email = old.email }
    if old.phoneNumber != nil, new?.phoneNumber == nil { phoneNumber = old.phoneNumber }
    let kept = Set(new?.secondFactors.map(\.id) ?? [])
    secondFactors = old.secondFactors.filter { !kept.contains($0.id) }.map(\.auditText)
    waysIn = new.map(ways.count) ?? 0
  }
}

extension Losses {
  /// The losses as JSON, for dry runs over HTTP and in the console.
  public var json: JSONValue {
    var members: [String: JSONValue] = ["waysIn": .integer(Int64(waysIn))]
    func put(_ name: String, _ texts: [String]) {
      if !texts.isEmpty { members[name] = .array(texts.map(JSONValue.string)) }
    }
    put("identities", identities.map(\.description))
    put("secondFactors", secondFactors)
    put("absorbed", absorbed.map(\.rawValue))
    if let email { members["email"] = .string(email.text) }
    if let phoneNumber { members["phoneNumber"] = .string(phoneNumber.text) }
    if let restorableUntil { members["restorableUntil"] = .string(restorableUntil.text) }
    return .object(members)
  }
}

extension SecondFactor {
  /// The kind of the factor and its masked number, as the audit shows it.
  var auditText: String {
    let number = if case .phone(let number) = kind { " \(number.masked)" } else { "" }
    return factorID + number + (displayName.map { " (\($0))" } ?? "")
  }
}
