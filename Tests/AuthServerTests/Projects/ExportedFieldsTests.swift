import AuthCore
import AuthTesting
import UserFiles
import Testing

/// A new field of an account has to be part of an export's files, or be excused here.
@Suite struct `Fields of an account in an export` {
  /// The properties of a record that hold a field; none with the reason.
  private static let account: [String: (properties: [String], reason: String)] = [
    "id": (["localId"], ""), "scope": ([], "A file is of one scope."),
    "revision": ([], "The store counts it."), "email": (["email"], ""),
    "emailVerified": (["emailVerified"], ""), "displayName": (["displayName"], ""),
    "photoURL": (["photoUrl"], ""), "phoneNumber": (["phoneNumber"], ""),
    "disabled": (["disabled"], ""), "isAnonymous": ([], "It follows from the ways in."),
    "customClaims": (["customAttributes"], ""), "createdAt": (["createdAt"], ""),
    "lastSignInAt": (["lastSignedInAt"], ""), "validSince": ([], "An import ends all sessions."),
    "ownership": ([], "An import begins one."), "generation": ([], "An import begins one."),
    "identities": (["providerUserInfo", "passwordHash"], ""), "secondFactors": (["mfaInfo"], ""),
    "details": (["initialEmail"], ""),
  ]

  private static let details: [String: (properties: [String], reason: String)] = [
    "initialEmail": (["initialEmail"], ""), "usedCustomToken": (["customAuth"], ""),
    "lastRefreshAt": ([], "Tokens are given anew."), "screenName": (["screenName"], ""),
    "language": (["language"], ""), "timeZone": (["timeZone"], ""),
    "dateOfBirth": (["dateOfBirth"], ""),
    "waitingPassword": (["passwordHash"], ""),
    "marks": ([], "A vendor's word about an identity counts where it was said."),
    "kept": ([], "An import ends all sessions."),
  ]

  private func record(_ account: Account) -> UserRecord {
    let passwords = PasswordColumns(
      stored: { columns throws(RecordFault) in columns.hash },
      columns: { PasswordColumns.Columns(hash: $0) })
    return UserRecord(
      account,
      at: RecordDoor(
        scope: account.scope, passwords: passwords, registered: [], at: account.createdAt))
  }

  private func properties(of record: UserRecord) -> [String: String] {
    Mirror(reflecting: record).children.reduce(into: [:]) { properties, child in
      if let label = child.label { properties[label] = "\(child.value)" }
    }
  }

  @Test func `each is in the record, or has its reason`() throws {
    let scope = Scope(project: "p")
    let full = try Account.withEveryField("full", in: scope)
    let exported = properties(of: record(full))
    let nothing = properties(of: record(.blank))
    #expect(Set(Self.account.keys) == Set(Account.fields.names))
    #expect(Set(Self.details.keys) == Set(AccountDetails.fields.names))

    for (name, face) in Array(Self.account) + Array(Self.details) {
      #expect(face.properties.isEmpty != face.reason.isEmpty, "\(name)")
      for property in face.properties {
        #expect(exported[property] != nil, "\(name): \(property)")
        #expect(exported[property] != nothing[property], "\(name): \(property)")
      }
    }
  }
}
