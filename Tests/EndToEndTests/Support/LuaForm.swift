/// A form of Lua text.
enum LuaForm: String, CaseIterable, Sendable {
  case plain, mark, interpreter, markAndInterpreter, crlf, cr, lfcr
  case latin1, utf16LittleEndian, utf16BigEndian, nul, compiled, tooLong

  /// The words of the refusal; nil if the text is read.
  var refusal: String? {
    switch self {
    case .plain, .mark, .interpreter, .markAndInterpreter, .crlf, .cr, .lfcr: nil
    case .latin1: "has the byte 0xE9, which is not UTF-8. Save the file as UTF-8."
    case .utf16LittleEndian, .utf16BigEndian: "the text is UTF-16. Save the file as UTF-8."
    case .nul: "has a NUL byte"
    case .compiled: "this is compiled Lua"
    case .tooLong: "longer than 1 MiB (1048576 bytes)"
    }
  }

  /// The number of lines before the text's own.
  var linesBefore: Int { [.interpreter, .markAndInterpreter].contains(self) ? 1 : 0 }

  func bytes(of text: String) -> [UInt8] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let interpreter = Array("#!/usr/bin/env -S authgraph run\n".utf8)
    let plain = Array(text.utf8)
    switch self {
    case .plain: return plain
    case .mark: return mark + plain
    case .interpreter: return interpreter + plain
    case .markAndInterpreter: return mark + interpreter + plain
    case .crlf: return ends([0x0D, 0x0A], plain)
    case .cr: return ends([0x0D], plain)
    case .lfcr: return ends([0x0A, 0x0D], plain)
    case .latin1: return plain + Array("-- Jos".utf8) + [0xE9, 0x0A]
    case .utf16LittleEndian:
      return [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    case .utf16BigEndian:
      return [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    case .nul: return plain + Array("-- ".utf8) + [0, 0x0A]
    case .compiled: return [0x1B] + Array("Lua".utf8) + [0x54, 0] + plain
    case .tooLong:
      return plain + Array(("-- " + String(repeating: "x", count: 1 << 20) + "\n").utf8)
    }
  }

  private func ends(_ end: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { $0 == 0x0A ? end : [$0] }
  }
}
