import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import UserFiles
import Testing

@testable import IdentityToolkitService

/// P7: records of a file and of `accounts:batchCreate` follow the same rules.
@Suite struct `The two doors of records` {
  /// A record, the origin of its hash, and the result of both imports.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let record: [String: JSONValue]
    var parameters: [String: String] = [:]
    /// The fault, or nil for an account.
    var fault: RecordFault.Kind?
    /// The check of the resulting account.
    var check: @Sendable (Account) -> Bool = { _ in true }

    var testDescription: String { name }

    init(
      _ name: String, _ record: [String: JSONValue], parameters: [String: String] = [:],
      _ fault: RecordFault.Kind? = nil, check: @escaping @Sendable (Account) -> Bool = { _ in true }
    ) {
      self.name = name
      self.record = record.merging(["localId": "u1"]) { own, _ in own }
      self.parameters = parameters
      self.fault = fault
      self.check = check
    }
  }

  private static func key(_ provider: String, _ subject: String) -> IdentityKey {
    IdentityKey(ProviderID(provider), subject: subject)
  }

  private static func entry(_ members: [String: JSONValue]) -> JSONValue {
    .array([.object(members)])
  }

  private static let verified: [String: JSONValue] = [
    "email": "a@example.com", "emailVerified": true,
  ]

  static let cases: [Case] = identityCases + textCases + hashCases + factorCases

  private static let identityCases = [
    Case(
      "P6: an address of Google's names the subject",
      [
        "providerUserInfo": entry([
          "providerId": "google.com", "federatedId": "https://accounts.google.com/1234567890",
        ])
      ], check: { $0.identities.map(\.key) == [key("google.com", "1234567890")] }),
    Case(
      "P6: an address of Facebook's without a provider does too",
      [
        "providerUserInfo": entry([
          "providerId": "facebook.com", "federatedId": "http://facebook.com/555",
        ])
      ],
      check: { $0.identities.map(\.key) == [key("facebook.com", "555")] }),
    Case(
      "P6: what is no address is the subject",
      ["providerUserInfo": entry(["providerId": "github.com", "federatedId": "77"])],
      check: { $0.identities.map(\.key) == [key("github.com", "77")] }),
    Case(
      "P6: rawId counts first",
      [
        "providerUserInfo": entry([
          "providerId": "google.com", "rawId": "1", "federatedId": "https://accounts.google.com/2",
        ])
      ], check: { $0.identities.map(\.key) == [key("google.com", "1")] }),
    Case(
      "P6: an address is the subject of OpenID Connect",
      [
        "providerUserInfo": entry(["providerId": "oidc.a", "federatedId": "https://id.example/ada"])
      ],
      check: { $0.identities.map(\.key) == [key("oidc.a", "https://id.example/ada")] }),
    Case(
      "P6: another vendor's address is refused",
      [
        "providerUserInfo": entry([
          "providerId": "google.com", "federatedId": "https://evil.example/1",
        ])
      ],
      .unreadFederatedID),
    Case(
      "P6: an address that only begins like a vendor's is refused",
      [
        "providerUserInfo": entry([
          "providerId": "google.com", "federatedId": "https://notgoogle.com/1",
        ])
      ],
      .unreadFederatedID),
    Case(
      "P6: a path with more in it than a subject is refused",
      [
        "providerUserInfo": entry([
          "providerId": "google.com", "federatedId": "https://accounts.google.com/o/1",
        ])
      ], .unreadFederatedID),
    Case(
      "P6: an empty entry of the number is passed over",
      [
        "phoneNumber": "+12345678901",
        "providerUserInfo": [
          ["providerId": "phone", "federatedId": ""],
          ["providerId": "phone", "rawId": "+12345678901", "phoneNumber": "+12345678901"],
        ],
      ],
      check: {
        $0.phoneNumber?.text == "+12345678901" && $0.identities.map(\.provider) == [.phone]
      }),
    Case(
      "the number of an entry is the account's",
      ["providerUserInfo": entry(["providerId": "phone", "rawId": "+12345678901"])],
      check: { $0.phoneNumber?.text == "+12345678901" }),
    Case(
      "an entry of another password is passed over",
      verified.merging([
        "providerUserInfo": entry(["providerId": "password", "rawId": "b@example.com"])
      ]) {
        $1
      }, check: { $0.identities.isEmpty }),
    Case(
      "an identity stands there once",
      [
        "providerUserInfo": [
          ["providerId": "google.com", "rawId": "1"], ["providerId": "google.com", "rawId": "1"],
        ]
      ], .repeatedIdentity),
    Case(
      "an entry names a subject", ["providerUserInfo": entry(["providerId": "google.com"])],
      .missingSubject),
    Case(
      "a provider is known",
      ["providerUserInfo": entry(["providerId": "googel.com", "rawId": "1"])], .unknownProvider),
    Case(
      "P2: Microsoft's people keep the bare ID of Firebase",
      ["providerUserInfo": entry(["providerId": "microsoft.com", "rawId": "0a1b2c3d-4e5f"])],
      check: { $0.identities.map(\.key) == [key("microsoft.com", "0a1b2c3d-4e5f")] }),
    Case(
      "a link signs in to a verified address",
      verified.merging(["emailLinkSignin": true]) { $1 },
      check: { $0.identities.map(\.provider) == [.emailLink] }),
    Case(
      "a link of an unverified address is no identity",
      ["email": "a@example.com", "emailLinkSignin": true], check: { $0.identities.isEmpty }),
    Case(
      "P12: a person with a custom token is not anonymous", ["customAuth": true],
      check: { !$0.isAnonymous && $0.details.usedCustomToken }),
    Case(
      "P5: a relay address is the account's",
      ["email": "x1@privaterelay.appleid.com", "emailVerified": true],
      check: { $0.emailVerified && $0.email?.isAppleRelay == true }),
  ]

  private static let textCases = [
    Case(
      "P7: empty texts are absent",
      [
        "email": "", "phoneNumber": "+12345678901", "displayName": "", "photoUrl": "",
        "customAttributes": "", "salt": "", "passwordHash": "",
        "providerUserInfo": entry([
          "providerId": "google.com", "rawId": "77", "email": "", "displayName": "", "photoUrl": "",
        ]),
      ],
      check: {
        $0.email == nil && $0.displayName == nil && $0.photoURL == nil && $0.customClaims == nil
          && $0.identity(key("google.com", "77"))?.profile == IdentityProfile()
      }),
    Case(
      "P7: an empty number is absent", ["email": "q2@example.com", "phoneNumber": ""],
      check: { $0.phoneNumber == nil }),
    Case(
      "P7: a time that is no number is refused", ["createdAt": "2021-05-14T01:42:53Z"], .malformed),
    Case("P7: so is one of the last sign-in", ["lastLoginAt": "yesterday"], .malformed),
    Case("P12: and one behind the year 9999", ["createdAt": "9223372036854775807"], .malformed),
    Case("P12: and one before 1970", ["createdAt": "-1"], .malformed),
    Case(
      "a time is milliseconds", ["createdAt": "1500000000000", "lastLoginAt": "1600000000000"],
      check: {
        $0.createdAt.milliseconds == 1_500_000_000_000
          && $0.lastSignInAt?.milliseconds == 1_600_000_000_000
      }),
    Case(
      "P12: a number as people write it", ["phoneNumber": "+1 (555) 123-4567"],
      check: {
        $0.phoneNumber?.text == "+15551234567"
          && $0.identities.map(\.key.subject) == ["+15551234567"]
      }),
    Case(
      "P12: without its plus it is none", ["phoneNumber": "1 555-123-4567"], .invalidPhoneNumber),
    Case("P12: letters are none", ["phoneNumber": "+1 555 CALL NOW"], .invalidPhoneNumber),
    Case("an address is one", ["email": "nobody"], .invalidEmail),
    Case("S17: and no other to mail software", ["email": "a(b)@example.com"], .invalidEmail),
    Case("an uid is printable", ["localId": "a\nb"], .invalidUID),
    Case("an uid is there", ["localId": ""], .missingUID),
    Case("claims are an object", ["customAttributes": "[]"], .invalidClaims),
    Case("claims are not reserved", ["customAttributes": "{\"sub\":1}"], .reservedClaims),
    Case(
      "P12: what clients are shown is kept",
      [
        "screenName": "r2", "language": "de", "timeZone": "Europe/Berlin",
        "dateOfBirth": "1990-01-01", "initialEmail": "old@example.com",
      ],
      check: {
        let details = $0.details
        return details.screenName == "r2" && details.language == "de"
          && details.timeZone == "Europe/Berlin" && details.dateOfBirth == "1990-01-01"
          && details.initialEmail?.text == "old@example.com"
      }),
  ]

  private static let md5 = ["hash-algo": "MD5", "rounds": "0"]
  private static let own = Data(
    "$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY"
      .utf8
  ).base64EncodedString()

  private static let hashCases = [
    Case(
      "P4: MD5 is hexadecimal text",
      ["email": "m@example.com", "passwordHash": "NzJkNGE1YTViNjA1YzUzYWUxYWM0NzhkOWE0OTc3ZDc="],
      parameters: md5, check: { $0.passwordIdentity?.secret != nil }),
    Case(
      "a hash that the algorithm cannot have made",
      ["email": "m@example.com", "passwordHash": "YWJj"], parameters: md5, .invalidPassword),
    Case(
      "P12: a bcrypt text that is not in base64",
      ["email": "m@example.com", "passwordHash": "$2b$04$M5LzMcUT2/.RzzcNsJSSOc"],
      parameters: ["hash-algo": "BCRYPT"], .invalidPassword),
    Case(
      "P3: a bcrypt text is no key of PBKDF2",
      [
        "email": "c1@example.com",
        "passwordHash":
          "JDJiJDA0JGRNNUx6TWNVVDIvLlJ6emNOc0pTU09jSnY1WTM3ekJteXYySlYwcUtEZXV3MWdudnNSTUlL",
      ], parameters: ["hash-algo": "PBKDF2_SHA256", "rounds": "1000"], .invalidPassword),
    Case(
      "nothing says how a hash was made", ["email": "m@example.com", "passwordHash": "YWJj"],
      .unknownHash),
    Case(
      "a password without an address waits for one",
      ["passwordHash": "NzJkNGE1YTViNjA1YzUzYWUxYWM0NzhkOWE0OTc3ZDc="], parameters: md5,
      check: { $0.identities.isEmpty && $0.details.waitingPassword != nil && !$0.isAnonymous }),
    Case(
      "P7: our own hash beside an empty salt",
      ["email": "o@example.com", "passwordHash": .string(own), "salt": ""],
      check: { $0.passwordIdentity?.secret?.encoded.hasPrefix("$argon2id$") == true }),
    Case(
      "P7: our own hash in the letters of the web",
      [
        "email": "o@example.com",
        "passwordHash": .string(own.replacing("+", with: "-").replacing("/", with: "_")),
      ], check: { $0.passwordIdentity?.secret?.encoded.hasPrefix("$argon2id$") == true }),
  ]

  private static func factors(_ entries: [String: JSONValue]...) -> [String: JSONValue] {
    ["mfaInfo": .array(entries.map(JSONValue.object))]
  }

  private static let factorCases = [
    Case(
      "P7: a second factor needs a verified address",
      factors(["phoneInfo": "+16505550101"]).merging(["email": "f1@example.com"]) { $1 },
      .factorOfUnverifiedEmail),
    Case(
      "P7: a second factor needs an address",
      factors(["phoneInfo": "+16505550101"]).merging(["phoneNumber": "+12345678901"]) { $1 },
      .factorWithoutEmail),
    Case(
      "P7: two second factors have two IDs",
      factors(
        ["mfaEnrollmentId": "x", "phoneInfo": "+16505550101"],
        ["mfaEnrollmentId": "x", "phoneInfo": "+16505550102"]
      ).merging(verified) { $1 }, .repeatedFactor),
    Case(
      "a second factor is a phone or an app",
      factors(["displayName": "what"]).merging(verified) { $1 }, .unknownFactor),
    Case(
      "a factor's number is one", factors(["phoneInfo": "5555550100"]).merging(verified) { $1 },
      .invalidFactorNumber),
    Case(
      "factors are kept, with an ID and a time if none is given",
      factors(["phoneInfo": "+1 650-555-0101"], ["totpInfo": .object([:])])
        .merging(verified) { $1 }.merging(["createdAt": "1500000000000"]) { $1 },
      check: {
        $0.secondFactors.map(\.factorID) == ["phone", "totp"]
          && $0.secondFactors.allSatisfy {
            $0.id.count == 28 && $0.enrolledAt == "2017-07-14T02:40:00.000Z"
          }
      }),
  ]

  /// Imports a record as part of a file.
  private func file(
    _ example: Case, _ home: ServerHome
  ) throws -> Result<Account, RecordFault> {
    let parameters =
      example.parameters.isEmpty ? nil : try PasswordHashParameters(options: example.parameters)
    let door = RecordDoor(
      scope: home.scope, passwords: .importing(PasswordImport(parameters)),
      registered: home.graph.providers.ids, takesRecordsOfTenants: true, at: home.clock.now)
    do throws(AuthError) {
      let record = try UserRecord(json: Data(JSONValue.object(example.record).text.utf8))
      do throws(RecordFault) { return .success(try record.account(at: door)) } catch {
        return .failure(error)
      }
    } catch {
      return .failure(RecordFault(error.code == .invalidUID ? .missingUID : .malformed, error))
    }
  }

  private func parameters(of example: Case) -> [String: JSONValue] {
    var fields: [String: JSONValue] = [:]
    for (field, option) in PasswordHashParameters.optionsOfFields {
      fields[field] = example.parameters[option].map(JSONValue.string)
    }
    return fields
  }

  @Test(arguments: cases)
  func `give the same account, or refuse for the same reason`(_ example: Case) async throws {
    try await withServer(.production) { home in
      let fromFile = try file(example, home)

      let told = try await home.fault(of: .object(example.record), parameters(of: example))
      let kept = try await home.graph.accounts(limit: 2, in: home.scope).first

      switch fromFile {
      case .failure(let fault):
        #expect(fault.kind == example.fault, "\(fault.error)")
        #expect(told == UploadFault(fault).message && kept == nil)
        #expect(fault.error.field != nil && fault.error.remedy != nil)
      case .success(var account):
        #expect(example.fault == nil)
        #expect(told == nil)
        account.revision = kept?.revision ?? 0
        account.ownership = kept?.ownership
        #expect(account == kept)
        #expect(example.check(account), "\(account)")
      }
    }
  }

  @Test func `P4: an MD5 hash of an upload signs in`() async throws {
    try await withServer(.production) { home in
      let fault = try await home.fault(
        of: [
          "localId": "m2", "email": "m2@example.com", "salt": "TmFDbA==",
          "passwordHash": "Yzg1MmNiYjlmNDUwZWYwYWMxMWUwNDg5Mzk0NWQ5YmY=",
        ], ["hashAlgorithm": "MD5", "rounds": 0, "passwordHashOrder": "SALT_AND_PASSWORD"])
      let reply = try await home.post(
        "/v1/accounts:signInWithPassword", ["email": "m2@example.com", "password": "secret12"])
      #expect(fault == nil && reply.status == 200, "\(fault ?? reply.text)")
    }
  }

  @Test func `P12: a password of an upload that is not hashed is hashed, and signs in`()
    async throws
  {
    try await withServer(.production) { home in
      let fault = try await home.fault(of: [
        "localId": "r2", "email": "r2@example.com", "rawPassword": "secret12",
      ])
      let reply = try await home.post(
        "/v1/accounts:signInWithPassword", ["email": "r2@example.com", "password": "secret12"])
      #expect(fault == nil && reply.status == 200, "\(fault ?? reply.text)")
    }
  }

  @Test(arguments: ServerHome.both)
  func `P12: a number is normalised by every door of the server`(_ mode: ServerMode) async throws {
    try await withServer(mode) { home in
      let made = try await home.admin(
        "POST", home.accountsPath, ["localId": "a", "phoneNumber": "+1 555-123-4567"])
      let found = try await home.admin(
        "POST", "\(home.accountsPath):lookup", ["phoneNumber": ["+1.555.123.4567"]])
      let changed = try await home.admin(
        "POST", "\(home.accountsPath):update", ["localId": "a", "phoneNumber": "+1 (555) 123-4568"])
      let account = try await home.graph.account(AccountID("a"), in: home.scope)

      #expect(made.status == 200, "\(made.text)")
      #expect(found.json["users"]?.items.first?["phoneNumber"] == "+15551234567", "\(found.text)")
      #expect(changed.status == 200, "\(changed.text)")
      #expect(account?.phoneNumber?.text == "+15551234568")
      #expect(account?.identities.map(\.key.subject) == ["+15551234568"])
    }
  }
}
