import Foundation

/// Describes where a text will be shown.
///
/// Looked at once for each thing printed, because windows are resized; everything that renders takes
/// it as a value.
package struct TerminalProfile: Hashable, Sendable {
  /// Whether a person watches, rather than a file or a pipe.
  package let isTerminal: Bool
  /// The columns of the window, at least ``narrowest``.
  package let width: Int
  /// Whether lines end at ``width``; in a file they are as long as they are, unless `COLUMNS` says otherwise.
  package let isBounded: Bool
  /// Whether escape sequences for colour are understood and wanted.
  package let supportsColor: Bool

  /// The width below which nothing can be laid out; a narrower window is treated as this wide.
  package static let narrowest = 10

  /// Describes a terminal, for tests and for output that is laid out for a file.
  package init(isTerminal: Bool, width: Int? = nil, supportsColor: Bool = false) {
    self.isTerminal = isTerminal
    self.width = max(Self.narrowest, width ?? 80)
    isBounded = isTerminal || width != nil
    self.supportsColor = supportsColor
  }

  /// The same place, to which no colours go.
  package var withoutColor: TerminalProfile {
    TerminalProfile(isTerminal: isTerminal, width: isBounded ? width : nil)
  }

  /// Looks at an open file and at the environment.
  ///
  /// Colour needs a terminal that is not `TERM=dumb`, and `NO_COLOR` to be unset or empty. A width
  /// that the terminal does not tell comes from `COLUMNS`, else it is 80.
  package static func detect(
    fileDescriptor: Int32 = 1,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> TerminalProfile {
    let isTerminal = isatty(fileDescriptor) == 1
    let refusesColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let term = environment["TERM"] ?? ""
    return TerminalProfile(
      isTerminal: isTerminal,
      width: windowWidth(of: fileDescriptor) ?? columns(in: environment),
      supportsColor: isTerminal && !refusesColor && term != "dumb" && !term.isEmpty)
  }

  private static func windowWidth(of fileDescriptor: Int32) -> Int? {
    var window = winsize()
    guard ioctl(fileDescriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else {
      return nil
    }
    return Int(window.ws_col)
  }

  private static func columns(in environment: [String: String]) -> Int? {
    guard let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 else {
      return nil
    }
    return min(columns, 10_000)
  }
}
