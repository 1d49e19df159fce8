package import Foundation

/// The properties of the place that displays a text.
///
/// Detected anew for each thing printed, because windows are resized. Everything that renders takes it as a value.
package struct TerminalProfile: Hashable, Sendable {
  /// True for a terminal, false for a file or a pipe.
  package let isTerminal: Bool
  /// The width of the window in columns, at least ``narrowest``.
  package let width: Int
  /// Allows escape sequences for colour: the terminal understands them and the user wants them.
  package let supportsColor: Bool
  /// The form in which tables are drawn.
  package var records = RecordLayout.automatic
  /// The zone in which times are shown.
  package var zone = TimeZone.gmt

  /// The form in which tables are drawn.
  package enum RecordLayout: String, Hashable, Sendable, CaseIterable {
    /// A block for each record.
    case blocks = "on"
    /// A line for each record, however narrow the window is.
    case lines = "off"
    /// A line for each record if the window is wide enough, otherwise a block.
    case automatic = "auto"
  }

  /// True if lines end at ``width``; those of a file never do.
  package var isBounded: Bool { isTerminal }

  /// The smallest width with room for a layout; a narrower window is treated as this wide.
  package static let narrowest = 10

  /// Makes a profile for tests, and for output that is laid out for a file.
  package init(isTerminal: Bool, width: Int? = nil, supportsColor: Bool = false) {
    self.isTerminal = isTerminal
    self.width = max(Self.narrowest, width ?? 80)
    self.supportsColor = supportsColor
  }

  /// The same profile without colours.
  package var withoutColor: TerminalProfile {
    var profile = TerminalProfile(isTerminal: isTerminal, width: width)
    (profile.records, profile.zone) = (records, zone)
    return profile
  }

  /// Inspects an open file and the environment.
  ///
  /// Colour needs a terminal that is not `TERM=dumb`, and `NO_COLOR` unset or empty. If the terminal does not report
  /// its width, it comes from `COLUMNS`, otherwise it is 80.
  package static func detect(
    fileDescriptor: Int32 = 1,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> TerminalProfile {
    let isTerminal = isatty(fileDescriptor) == 1
    let refusesColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let term = environment["TERM"] ?? ""
    return TerminalProfile(
      isTerminal: isTerminal,
      width: window(of: fileDescriptor).map { Int($0.ws_col) } ?? columns(in: environment),
      supportsColor: isTerminal && !refusesColor && term != "dumb" && !term.isEmpty)
  }

  /// Returns the number of lines of a window; nil if it is unknown.
  package static func height(fileDescriptor: Int32 = 1) -> Int? {
    window(of: fileDescriptor).flatMap { $0.ws_row > 0 ? Int($0.ws_row) : nil }
  }

  private static func window(of fileDescriptor: Int32) -> winsize? {
    var window = winsize()
    guard ioctl(fileDescriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else {
      return nil
    }
    return window
  }

  private static func columns(in environment: [String: String]) -> Int? {
    guard let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 else {
      return nil
    }
    return min(columns, 10_000)
  }
}
