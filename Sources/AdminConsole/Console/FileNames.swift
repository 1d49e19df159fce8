import Foundation

/// The names of files for Tab, inside a string.
struct FileNames {
  /// The endings of the files that are wanted; all files without endings.
  let endings: [String]

  /// Returns the paths that begin with a text: folders with a slash, and files.
  ///
  /// Hidden files appear only if their dot was typed. A name that would need an escape in a string is left out.
  func completing(_ text: String) -> [String] {
    let slash = text.lastIndex(of: "/")
    let folder = slash.map { String(text[...$0]) } ?? ""
    let beginning = slash.map { String(text[text.index(after: $0)...]) } ?? text
    let names =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return names.filter { name in
      name.hasPrefix(beginning) && (beginning.hasPrefix(".") || !name.hasPrefix("."))
        && name.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && !#"\"'"#.unicodeScalars.contains($0)
        }
    }
    .compactMap { name in
      var isFolder: ObjCBool = false
      let path = folder + name
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
      if isFolder.boolValue { return path + "/" }
      return endings.isEmpty || endings.contains { name.hasSuffix($0) } ? path : nil
    }
  }
}
