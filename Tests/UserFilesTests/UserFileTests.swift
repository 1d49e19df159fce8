import AuthCore
import Foundation
import Testing

@testable import UserFiles

/// Records of a file, and their errors.
@Suite struct `User records` {
  private func refusal(_ json: [UInt8]) -> AuthError? {
    do throws(AuthError) {
      _ = try UserRecord(json: Data(json))
      return nil
    } catch {
      return error
    }
  }

  @Test(
    arguments: [
      ("[]", "The record is not an object.", nil),
      ("null", "The record is null, not an object.", nil),
      ("{\"localId\":\"a\"", "The record is not valid JSON with each name once.", nil),
      (
        #"{"localId":"a","localId":"b"}"#, "The record is not valid JSON with each name once.", nil
      ),
      (#"{"email":"a@example.com"}"#, "The record has no localId.", "localId"),
      (#"{"localId":null}"#, "The record has no localId.", "localId"),
      (#"{"localId":7}"#, "The field localId is not a text.", "localId"),
      (
        #"{"localId":"a","disabled":"no"}"#, "The field disabled is not true or false.", "disabled"
      ),
      (
        #"{"localId":"a","createdAt":"soon"}"#,
        "The field createdAt is not a number of milliseconds.", "createdAt"
      ),
      (
        #"{"localId":"a","providerUserInfo":{}}"#, "The field providerUserInfo is not a list.",
        "providerUserInfo"
      ),
      (
        #"{"localId":"a","providerUserInfo":[{"providerId":"x"},null]}"#,
        "The field providerUserInfo.[1] is null, not an object.", "providerUserInfo.[1]"
      ),
      (
        #"{"localId":"a","providerUserInfo":[{"rawId":"1"}]}"#,
        "The field providerUserInfo.[0].providerId is missing.", "providerUserInfo.[0].providerId"
      ),
      (
        #"{"localId":"a","mfaInfo":[{"phoneInfo":1}]}"#,
        "The field mfaInfo.[0].phoneInfo is not a text.", "mfaInfo.[0].phoneInfo"
      ),
      (
        #"{"localId":"a","mfaInfo":[{"phone":"1"}]}"#,
        "The record has an unknown field \"phone\".", "phone"
      ),
    ] as [(String, String, String?)])
  func `are refused with the field and what is wrong`(
    json: String, message: String, field: String?
  ) {
    let error = refusal(Array(json.utf8))
    #expect(error?.message == message)
    #expect(error?.field == field)
    #expect(error?.remedy?.isEmpty == false)
  }

  @Test func `that are not UTF-8 are refused, and nothing is put in their place`() {
    let latin = Array(#"{"localId":"a","displayName":"J"#.utf8) + [0xFC] + Array(#"rgen"}"#.utf8)
    #expect(refusal(latin)?.message == "The record is not valid JSON with each name once.")
  }

  @Test func `may name the last sign-in in two ways, of which the other is not looked at`() throws {
    let both = #"{"localId":"a","lastSignedInAt":1,"lastLoginAt":"never"}"#
    let older = #"{"localId":"a","lastLoginAt":"2"}"#
    #expect(
      try UserRecord(json: Data(both.utf8)).lastSignedInAt == Timestamp(milliseconds: 1))
    #expect(
      try UserRecord(json: Data(older.utf8)).lastSignedInAt == Timestamp(milliseconds: 2))
  }

  @Test func `come back as they were written`() throws {
    let json =
      #"{"createdAt":"1","customAttributes":"{\"a\":1}","disabled":true,"displayName":"\u0001é","#
      + #""email":"a@example.com","emailVerified":false,"lastSignedInAt":"2","localId":"a","#
      + #""mfaInfo":[{"displayName":"w","enrolledAt":"2024-01-01T00:00:00Z","mfaEnrollmentId":"m","#
      + #""totpInfo":{}},{"mfaEnrollmentId":"n","phoneInfo":"+15555550123"}],"#
      + #""passwordHash":"aGE=","phoneNumber":"+15555550100","photoUrl":"https://p.example/a/b","#
      + #""providerUserInfo":[{"displayName":"A","email":"b@example.com","issuer":"https://i","#
      + #""phoneNumber":"+1","photoUrl":"u","providerId":"oidc.x","rawId":"1","screenName":"s"}],"#
      + #""salt":"c2E="}"#
    #expect(try UserRecord(json: Data(json.utf8)).json == json)
  }
}

/// The reader reads a file part by part, and a part may end anywhere.
@Suite struct `The file of users` {
  private static let part = 1 << 18

  @Test func `is read alike wherever a part of it ends`() throws {
    let tricky = #"{"localId":"b\\\"}],","x":[{"y":"\\"}],"n":12}"#
    let records = [#"{"localId":"a"}"#, tricky, "word", "12", "\"text\\n\"", #"{"last":true}"#]
    // Each byte of the second record is once the last of the first part.
    for place in 0...tricky.utf8.count {
      let head = "{\"other\": \""
      let behind = "\",\n\"users\": [\n" + records[0] + ",\n"
      let fill = Self.part - head.utf8.count - behind.utf8.count - place
      let text =
        head + String(repeating: "f", count: fill) + behind
        + records[1...].joined(separator: "\n,") + "\n]}\n"
      let path = FileManager.default.temporaryDirectory.appending(path: "users-\(UUID()).json").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      try text.write(toFile: path, atomically: true, encoding: .utf8)

      var reader = try UserFileReader(path: path)
      var found: [(String, Int)] = []
      while let slice = try reader.next() {
        found.append((String(decoding: slice.json, as: UTF8.self), slice.line))
      }

      #expect(found.map(\.0) == records)
      #expect(found.map(\.1) == [3, 4, 5, 6, 7, 8])
    }
  }
}
