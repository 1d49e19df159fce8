import AuthCore
import Foundation

/// A file of old and new subjects: CSV with two columns, or JSON with an object or a list of pairs.
///
/// It has its own parser, so that errors name their line and duplicate old subjects are detected, which other JSON
/// parsers ignore.
struct RekeyMapFile {
  let path: String
  let host: any ConsoleHost

  private var name: String { URL(filePath: path).lastPathComponent }

  func pairs(for rekey: Rekey) throws -> RekeyPairs {
    let kind = URL(filePath: path).pathExtension.lowercased()
    guard ["csv", "json"].contains(kind) else {
      throw RekeyPairs.refused(
        "The map \(name) is neither .csv nor .json.", "Name a file that ends in .csv or .json.")
    }
    let bytes = try host.list(in: path, named: "map \(name)", field: "map")
    var pairs = RekeyPairs(for: rekey)
    var reader = RekeyMapParser(name: name, bytes: bytes)
    if kind == "csv" {
      try reader.readCSV { old, new, place in try pairs.add(old, new, at: place) }
    } else {
      try reader.readJSON { old, new, place in try pairs.add(old, new, at: place) }
    }
    return pairs
  }
}
