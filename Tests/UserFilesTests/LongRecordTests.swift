import AuthCore
import Foundation
import Testing

@testable import UserFiles

/// Files whose records, or the text before and after them, have any length.
@Suite struct `Long records of a file` {
  private func read(_ parts: [String]) throws -> (slices: [UserFileReader.Slice], error: AuthError?)
  {
    let file = FileManager.default.temporaryDirectory.appending(path: "long-\(UUID()).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    for part in parts { try handle.write(contentsOf: Data(part.utf8)) }
    try handle.close()
    var slices: [UserFileReader.Slice] = []
    do throws(AuthError) {
      var reader = try UserFileReader(path: file.path)
      while let slice = try reader.next() { slices.append(slice) }
      return (slices, nil)
    } catch {
      return (slices, error)
    }
  }

  private let megabytes = Array(repeating: String(repeating: "e\u{301}", count: 1 << 18), count: 4)

  @Test func `S16 a record of many megabytes is passed over and refused by its line`() throws {
    let (slices, error) = try read(
      ["{\"users\": [\n{\"localId\":\"a\"},\n{\"localId\":\"b\",\"displayName\":\""] + megabytes
        + ["\"},\n{\"localId\":\"c\"}\n]}"])

    #expect(error == nil)
    #expect(slices.map(\.line) == [2, 3, 4])
    #expect(slices.map(\.isTooLong) == [false, true, false])
    // The reader never holds more than a record may have.
    #expect(slices.allSatisfy { $0.json.count <= UserFileReader.maximumRecordBytes + 1 })
    #expect(try UserRecord(slices[2]).localId == "c")
    let refusal = #expect(throws: AuthError.self) { try UserRecord(slices[1]) }
    #expect(refusal?.message == "The record has more than 1048576 bytes.")
  }

  @Test func `text before and behind the list is not held either`() throws {
    let (slices, error) = try read(
      ["{\"kind\": \""] + megabytes + ["\", \""] + megabytes + [
        "\": [1, {\"a\": \"]\"}], \"users\": ["
      ]
        + ["{\"localId\":\"a\"}], \"more\": \""] + megabytes + ["\"}"])
    #expect(error == nil)
    #expect(slices.count == 1)
  }

  @Test func `a record that has exactly as many bytes as it may is taken`() throws {
    let frame = "{\"localId\":\"a\",\"displayName\":\"\"}"
    let name = String(repeating: "x", count: UserFileReader.maximumRecordBytes - frame.utf8.count)
    let (slices, _) = try read([
      "{\"users\": [", frame.replacing("\"\"}", with: "\"\(name)\"}"), ",",
      frame.replacing("\"\"}", with: "\"x\(name)\"}"), "]}",
    ])
    #expect(slices.map(\.isTooLong) == [false, true])
  }

  @Test(arguments: [("providerUserInfo", 100), ("mfaInfo", 5)])
  func `S16 a record has a bounded number of entries`(name: String, most: Int) throws {
    func record(_ count: Int) -> Data {
      let entries = (0..<count).map { "{\"providerId\":\"github.com\",\"rawId\":\"\($0)\"}" }
      let factors = (0..<count).map { _ in "{\"phoneInfo\":\"+15555550100\"}" }
      let list = (name == "mfaInfo" ? factors : entries).joined(separator: ",")
      return Data("{\"localId\":\"a\",\"\(name)\":[\(list)]}".utf8)
    }
    _ = try UserRecord(json: record(most))
    let refusal = #expect(throws: AuthError.self) { try UserRecord(json: record(most + 1)) }
    #expect(refusal?.field == name)
    #expect(refusal?.message.contains("a record has at most \(most)") == true)
  }
}
