import CQRencode
import TerminalOutput

/// A QR code in half blocks, two rows of modules in a line.
///
/// With colours it is black on white, whatever the terminal's own colours are. Without them the light modules are drawn
/// in the colour of the text, which fits terminals with a dark background; most scanners read the inverse too.
struct QRText {
  /// The modules by row, with the quiet zone around them; true for a dark one.
  private let rows: [[Bool]]

  /// The light modules around a code that scanners need.
  private static let quietZone = 4

  /// Encodes a text; nil if it is too long for a code.
  init?(_ text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return nil }
    defer { QRcode_free(code) }
    let side = Int(code.pointee.width)
    guard side > 0, let data = code.pointee.data else { return nil }
    let whole = side + 2 * Self.quietZone
    var rows = Array(repeating: Array(repeating: false, count: whole), count: whole)
    for row in 0..<side {
      for column in 0..<side {
        // The lowest bit is the colour; the others describe the module's purpose.
        rows[row + Self.quietZone][column + Self.quietZone] = data[row * side + column] & 1 == 1
      }
    }
    self.rows = rows
  }

  /// The width in columns.
  var width: Int { rows.count }

  /// The drawing for a terminal; nil if its lines are too short.
  func painted(for profile: TerminalProfile) -> PaintedText? {
    guard profile.isTerminal, width <= profile.width else { return nil }
    let inked = profile.supportsColor
    let lines = stride(from: 0, to: rows.count, by: 2).map { top in
      let line = (0..<width).map { column in
        let upper = rows[top][column]
        let lower = top + 1 < rows.count && rows[top + 1][column]
        return Self.block(inked ? upper : !upper, inked ? lower : !lower)
      }
      return PaintedText(laidOut: line.joined(), style: inked ? .inked : .plain)
    }
    return lines.joined(separator: "\n")
  }

  private static func block(_ upper: Bool, _ lower: Bool) -> String {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }
}
