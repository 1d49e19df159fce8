import AuthCore
import Foundation

/// A file of old and new subjects: CSV with two columns, or JSON with an object or a list of pairs.
///
/// It has its own parser, so that errors name their line and duplicate old subjects are detected, which other JSON
/// parsers ignore.
struct RekeyMapFile {
  let path: String
  let host: any ConsoleHost

  private static let mostBytes = 256 << 20

  private var name: String { URL(filePath: path).lastPathComponent }

  func pairs(for rekey: Rekey) throws -> RekeyPairs {
    let kind = URL(filePath: path).pathExtension.lowercased()
    guard ["csv", "json"].contains(kind) else {
      throw RekeyPairs.refused(
        "The map \(name) is neither .csv nor .json.", "Name a file that ends in .csv or .json.")
    }
    let contents: [UInt8]
    do throws(InputFile.Unreadable) {
      contents = try host.contents(of: path, atMost: Self.mostBytes)
    } catch {
      throw AuthError(
        .invalidArgument, "The map \(name) cannot be read: \(error.reason).", field: "map",
        remedy: "Check its path and permissions.", cause: error)
    }
    guard contents.count <= Self.mostBytes else {
      throw RekeyPairs.refused("The map \(name) is larger than 256 MiB.", "Split it.")
    }
    var bytes = contents[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    var pairs = RekeyPairs(for: rekey)
    var reader = RekeyMapParser(name: name, bytes: Array(bytes))
    if kind == "csv" {
      try reader.readCSV { old, new, place in try pairs.add(old, new, at: place) }
    } else {
      try reader.readJSON { old, new, place in try pairs.add(old, new, at: place) }
    }
    return pairs
  }
}
