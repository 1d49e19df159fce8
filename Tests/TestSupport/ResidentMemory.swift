import Foundation

/// Returns the process's resident memory in bytes.
public func residentBytes() throws -> Int {
  let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  return try pages.unwrapped("number of pages in \(text)") * 4096
}
