import Foundation

/// Where the console prints, and how.
public struct ConsoleOutput {
  /// Takes finished lines; each call is one write with its newline added.
  let write: (String) -> Void
  /// Whether results are printed as JSON.
  public let isJSON: Bool
  private let currentProfile: () -> TerminalProfile

  /// The terminal as it is now: windows are resized while a console is open.
  var profile: TerminalProfile { currentProfile() }

  /// Prints results to standard output.
  ///
  /// With JSON, results alone go there, and what scripts print goes to standard error.
  public static func standard(isJSON: Bool) -> ConsoleOutput {
    ConsoleOutput(
      write: { text in
        do {
          try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
        } catch {
          // Nobody reads on; a script must not go on writing to accounts unseen.
          Self.warn("Standard output cannot be written: \(error.localizedDescription)")
          exit(EXIT_FAILURE)
        }
      }, isJSON: isJSON, currentProfile: { TerminalProfile.detect() })
  }

  /// Tells something beside the results, on standard error.
  package static func warn(_ text: String) {
    // Where it cannot be told there is nobody to tell.
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
  }

  /// Collects what is printed; for tests.
  package init(
    write: @escaping (String) -> Void, isJSON: Bool = false,
    currentProfile: @escaping () -> TerminalProfile
  ) {
    self.write = write
    self.isJSON = isJSON
    self.currentProfile = currentProfile
  }

  /// What `print` of a script writes.
  func printed(_ text: String) {
    if isJSON {
      Self.warn(text)
    } else {
      write(text)
    }
  }
}
