import AuthCore

/// The texts of a small world, as numbers.
enum StateNames {
  /// The texts of people, by their kind and the person's index.
  static let ofPeople: [String: (kind: UInt8, index: Int)] = {
    var names: [String: (kind: UInt8, index: Int)] = [:]
    for person in Person.allCases {
      let texts =
        person.mailboxes.map(\.text)
        + [
          person.password, person.phoneNumber, Vendor.honest.subject(of: person, at: nil),
          person.factor,
        ]
      for (kind, text) in texts.enumerated() { names[text] = (UInt8(kind), person.index) }
    }
    return names
  }()

  static let ofProviders: [ProviderID: UInt8] = {
    let ids = Vendor.allCases.map(\.id) + [.password, .emailLink, .anonymous, .custom, .phone]
    return Dictionary(uniqueKeysWithValues: zip(ids, 1...))
  }()
}
