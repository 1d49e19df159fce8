import Foundation
import Testing

@testable import AuthClient

@Suite struct StoredUserTests {
  private let user = StoredUser(
    uid: "uid-1", isAnonymous: false, hasPassword: true, email: "ada@example.com",
    isEmailVerified: true, displayName: "Ada \"L\" / \u{1F9EE}",
    photoURL: "https://example.com/a.png",
    phoneNumber: "+15550100",
    providers: [
      StoredProvider(
        providerID: "google.com", uid: "g-1", displayName: "Ada", email: "ada@example.com",
        photoURL: "https://example.com/g.png", phoneNumber: nil),
      StoredProvider(providerID: "phone", uid: "", phoneNumber: "+15550100"),
    ],
    createdAt: Date(timeIntervalSince1970: 1_700_000_000.123),
    lastSignInAt: Date(timeIntervalSinceReferenceDate: 800_000_000.1), tenantID: "tenant-1",
    factors: [
      StoredFactor(
        uid: "f-1", displayName: "work", enrolledAt: Date(timeIntervalSince1970: 1_700_000_001),
        kind: .phone, phoneNumber: "+1*****00"),
      StoredFactor(
        uid: "f-2", enrolledAt: Date(timeIntervalSince1970: 1_700_000_002.5), kind: .totp),
    ],
    tokens: TokenPair(
      idToken: "head.BODY-SECRET.sig", refreshToken: "REFRESH-SECRET",
      expiresAt: Date(timeIntervalSinceReferenceDate: 800_003_600.3)))

  @Test func `a written user is read back exactly`() throws {
    #expect(try StoredUser(encoded: user.encoded()) == user)

    let bare = StoredUser(
      uid: "u", tokens: TokenPair(idToken: "i", refreshToken: "r", expiresAt: .distantPast))
    #expect(try StoredUser(encoded: bare.encoded()) == bare)
  }

  @Test func `the first format stays readable`() throws {
    let text = """
      {"user":{"factors":[{"enrolledAt":0,"kind":"totp","uid":"f"}],"hasPassword":false,
      "isAnonymous":true,"isEmailVerified":false,"providers":[{"providerID":"phone","uid":"p"}],
      "tokens":{"expiresAt":800000000.5,"idToken":"i","refreshToken":"r"},"uid":"u"},"version":1}
      """

    let user = try StoredUser(encoded: Data(text.utf8))

    #expect(user.uid == "u")
    #expect(user.isAnonymous)
    #expect(user.factors.first?.kind == .totp)
    #expect(user.providers == [StoredProvider(providerID: "phone", uid: "p")])
    #expect(user.tokens.expiresAt == Date(timeIntervalSinceReferenceDate: 800_000_000.5))
  }

  @Test func `a later format is refused with both versions named`() throws {
    let later = Data(#"{"version":2,"sealed":"…"}"#.utf8)

    let error = try #require(throws: SessionStorageError.self) { try StoredUser(encoded: later) }

    #expect(error.message.contains("format 2"))
    #expect(error.message.contains("reads 1"))
    #expect(error.remedy.contains("Update"))
  }

  @Test(arguments: [
    "", " ", "null", "[]", "{}", "\u{0}", #"{"version":"1"}"#, #"{"version":1}"#,
    #"{"version":1,"user":null}"#, #"{"version":1,"user":{"uid":"u"}}"#, #"{"version":1e400}"#,
    #"{"version":1,"user":{"uid":"","isAnonymous":false,"hasPassword":false,"isEmailVerified":false,"#
      + #""providers":[],"factors":[],"tokens":{"idToken":"","refreshToken":"","expiresAt":0}}}"#,
    String(repeating: "[", count: 100_000), "bplist00",
  ])
  func `bytes of something else are refused`(_ text: String) {
    #expect(throws: SessionStorageError.self) { try StoredUser(encoded: Data(text.utf8)) }
  }

  @Test func `damaged bytes are refused at worst, and are not quoted`() throws {
    let data = try user.encoded()
    var refusals = 0
    for index in data.indices {
      for damaged in [data.prefix(index), flipped(data, at: index)] {
        do {
          _ = try StoredUser(encoded: damaged)
        } catch {
          refusals += 1
          #expect(!"\(error)".contains("SECRET"))
        }
      }
    }
    #expect(refusals > data.count)
  }

  private func flipped(_ data: Data, at index: Int) -> Data {
    var data = data
    data[index] ^= 0x5A
    return data
  }

  @Test func `no token shows in any description`() {
    var dumped = ""
    dump([Optional(user)], to: &dumped)
    dump(["tokens": user.tokens], to: &dumped)
    let texts = [
      "\(user)", String(reflecting: user), "\([user])", "\(Optional(user) as Any)",
      "\(user.tokens)", String(reflecting: user.tokens), "\((user, user.tokens))", dumped,
    ]

    for text in texts {
      #expect(!text.contains("SECRET"))
    }
    #expect("\(user)".contains("uid-1"))
  }

  @Test func `a date that is no number cannot be written`() {
    var user = user
    user.createdAt = Date(timeIntervalSinceReferenceDate: .nan)
    #expect(throws: SessionStorageError.self) { try user.encoded() }
  }
}
