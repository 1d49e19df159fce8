import AuthCore
import Foundation
import Testing
import TestSupport

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

  /// A record, and the error about it.
  typealias Row = TableRow<String, (message: String, field: String?)>

  static let wrong: [Row] = [
    Row("a list", "[]", ("The record is not an object.", nil)),
    Row("null", "null", ("The record is null, not an object.", nil)),
    Row("half", #"{"localId":"a""#, ("The record is not valid JSON with each name once.", nil)),
    Row(
      "a name twice", #"{"localId":"a","localId":"b"}"#,
      ("The record is not valid JSON with each name once.", nil)),
    Row("no ID", #"{"email":"a@example.com"}"#, ("The record has no localId.", "localId")),
    Row("null as ID", #"{"localId":null}"#, ("The record has no localId.", "localId")),
    Row("a number as ID", #"{"localId":7}"#, ("The field localId is not a text.", "localId")),
    Row(
      "a text as flag", #"{"localId":"a","disabled":"no"}"#,
      ("The field disabled is not true or false.", "disabled")),
    Row(
      "words as time", #"{"localId":"a","createdAt":"soon"}"#,
      ("The field createdAt is not a number of milliseconds.", "createdAt")),
    Row(
      "an object as list", #"{"localId":"a","providerUserInfo":{}}"#,
      ("The field providerUserInfo is not a list.", "providerUserInfo")),
    Row(
      "null in a list", #"{"localId":"a","providerUserInfo":[{"providerId":"x"},null]}"#,
      ("The field providerUserInfo.[1] is null, not an object.", "providerUserInfo.[1]")),
    Row(
      "no provider", #"{"localId":"a","providerUserInfo":[{"rawId":"1"}]}"#,
      (
        "The field providerUserInfo.[0].providerId is missing.", "providerUserInfo.[0].providerId"
      )),
    Row(
      "a number as phone", #"{"localId":"a","mfaInfo":[{"phoneInfo":1}]}"#,
      ("The field mfaInfo.[0].phoneInfo is not a text.", "mfaInfo.[0].phoneInfo")),
    Row(
      "an unknown field", #"{"localId":"a","mfaInfo":[{"phone":"1"}]}"#,
      ("The record has an unknown field \"phone\".", "phone")),
  ]

  @Test(arguments: wrong)
  func `are refused with the field and what is wrong`(_ row: Row) {
    let error = refusal(Array(row.input.utf8))
    #expect(error?.message == row.expected.message)
    #expect(error?.field == row.expected.field)
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

  @Test func `is read alike for any split into parts`() throws {
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
