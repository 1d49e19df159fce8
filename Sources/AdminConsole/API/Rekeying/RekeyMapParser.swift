import AuthCore
import Foundation

/// Reads the pairs of old and new subjects in a map, and counts its lines for errors.
struct RekeyMapParser {
  typealias Take = (_ old: String, _ new: String, _ place: String) throws -> Void

  let name: String
  let bytes: [UInt8]
  private var index = 0
  private var line = 1

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }
  private var place: String { "\(name), line \(line)" }

  func readCSV(_ take: Take) throws {
    var reader = CSVReader(name: name, bytes: bytes, .plain, refused: Self.refused)
    while let row = try reader.row() {
      let place = "\(name), line \(row.line)"
      guard row.cells.count == 2 else {
        throw wrong("\(row.cells.count) columns instead of two", at: place)
      }
      try take(row.cells[0], row.cells[1], place)
    }
  }

  mutating func readJSON(_ take: Take) throws {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): try list(until: "}") { try $0.pair(":", take) }
    case UInt8(ascii: "["):
      try list(until: "]") { reader in
        try reader.expect("[")
        reader.skipSpace()
        try reader.pair(",", take)
        try reader.expect("]")
      }
    default: throw wrong("neither an object nor a list begins here")
    }
    skipSpace()
    guard next == nil else { throw wrong("text follows the end") }
  }

  private mutating func list(
    until end: Character, _ item: (inout RekeyMapParser) throws -> Void
  ) throws {
    advance()
    skipSpace()
    if next == end.asciiValue {
      advance()
      return
    }
    while true {
      skipSpace()
      try item(&self)
      skipSpace()
      guard next == UInt8(ascii: ",") else { return try expect(end) }
      advance()
    }
  }

  private mutating func pair(_ separator: Character, _ take: Take) throws {
    let start = place
    let old = try jsonText()
    try expect(separator)
    skipSpace()
    let new = try jsonText()
    try take(old, new, start)
  }

  private mutating func jsonText() throws -> String {
    guard next == UInt8(ascii: "\"") else { throw wrong("a text in quotes is missing") }
    let start = index
    let startPlace = place
    advance()
    while let byte = next, byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") { advance() }
      guard let byte = next, byte >= 0x20 else { break }
      advance()
    }
    guard next == UInt8(ascii: "\"") else { throw wrong("a text is not closed", at: startPlace) }
    advance()
    guard
      let text = try? JSONDecoder().decode(String.self, from: Data(bytes[start..<index]))
    else { throw wrong("a text is not well-formed", at: startPlace) }
    return text
  }

  private mutating func expect(_ character: Character) throws {
    skipSpace()
    guard next == character.asciiValue else { throw wrong("\"\(character)\" is missing") }
    advance()
  }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { advance() }
  }

  private mutating func advance() {
    let byte = next
    if index < bytes.count { index += 1 }
    if byte == 0x0A || (byte == 0x0D && next != 0x0A) { line += 1 }
  }

  private func wrong(_ what: String, at place: String? = nil) -> AuthError {
    Self.refused("\(place ?? self.place): \(what).")
  }

  private static func refused(_ message: String) -> AuthError {
    RekeyPairs.refused(
      message,
      "Write old,new in each line of a .csv; { \"old\": \"new\" } or [[\"old\", \"new\"]] in a .json."
    )
  }
}
