import CEditLine
import Foundation
import LuaRuntime
import TerminalOutput

/// The result of waiting for a line.
package enum LineEvent: Hashable, Sendable {
  /// A line, or the lines of a paste, without their ends.
  case lines([String])
  /// An input that is not UTF-8, with the invalid byte.
  case refused(UInt8)
  /// Ctrl-C, which discards the line being typed.
  case interrupted
  /// Ctrl-D on an empty line, or the end of a file.
  case endOfInput
}

/// Reads lines from a person, with editing, history and completion.
///
/// If standard input is no terminal, it reads plain lines: there is no prompt, and the history file is neither read nor
/// written. Reading blocks the calling thread. Keys are libedit's, as changed by `~/.editrc`.
package final class LineEditor {
  /// Returns the candidates for the word at the cursor.
  ///
  /// Offsets are UTF-8 bytes. Every candidate replaces `start..<cursor` unchanged, so it includes its own quotes and
  /// spaces. It runs on Tab and must have no effects.
  package typealias Completer = (_ line: String, _ cursor: Int) -> (
    start: Int, candidates: [String]
  )

  /// The source of candidates for Tab; without one, Tab rings the bell.
  package var completer: Completer?

  private let editor: OpaquePointer?
  private let warn: (String) -> Void
  private var history: HistoryFile?
  private var lastEntry: String?

  /// Opens the terminal and reads the history.
  ///
  /// A problem with the history file is reported through `warn` once, and the session continues without it.
  package init(
    historyFile: String?,
    warn: @escaping (String) -> Void = {
      try? TextOutput.standardError.write(line: "warning: \($0)")
    }
  ) {
    self.warn = warn
    editor = ceditline_open(Int32(HistoryFile.limit))
    guard let editor else { return }
    ceditline_set_completion(editor, completeLine, Unmanaged.passUnretained(self).toOpaque())
    history = historyFile.map { HistoryFile(path: $0) }
    remembering { history in
      let (entries, warning) = try history.load()
      if let warning { warn("history: " + warning) }
      for entry in entries { ceditline_remember(editor, entry) }
      lastEntry = entries.last
    }
  }

  deinit {
    ceditline_close(editor)
  }

  /// Shows a prompt and waits for a line.
  package func readLine(prompt: String) -> LineEvent {
    guard let editor else { return readPlainLine(prompt) }
    // Buffered output belongs above the prompt.
    fflush(nil)
    var line: UnsafePointer<CChar>?
    switch ceditline_read(editor, prompt, &line) {
    case CEDITLINE_LINE: return .lines(Self.lines(of: line.map { String(cString: $0) } ?? ""))
    case CEDITLINE_MALFORMED: return .refused(ceditline_malformed_byte(editor))
    case CEDITLINE_INTERRUPTED: return .interrupted
    default: return .endOfInput
    }
  }

  /// Adds an entry, of one line or several, to the history of the arrow keys and of later sessions.
  ///
  /// Blank entries and repetitions of the last one are not kept. Entries that start with a space are not kept either,
  /// which lets a person keep a secret out of the file. With `inFile` false an entry is available only in this session.
  package func addHistory(_ entry: String, inFile: Bool = true) {
    let entry = String(entry.reversed().drop(while: \.isNewline).reversed())
    guard let editor, !entry.hasPrefix(" "), entry != lastEntry, !entry.contains("\0"),
      entry.contains(where: { !$0.isWhitespace })
    else { return }
    ceditline_remember(editor, entry)
    lastEntry = entry
    if inFile { remembering { try $0.append(entry) } }
  }

  private func remembering(_ body: (inout HistoryFile) throws -> Void) {
    guard var file = history else { return }
    do {
      try body(&file)
      history = file
    } catch {
      history = nil
      warn("history is not kept: \(error)")
    }
  }

  private func readPlainLine(_ prompt: String) -> LineEvent {
    if isatty(STDIN_FILENO) == 1 {
      try? TextOutput.standard.write(prompt, terminator: "")
    }
    // A terminal delivers a line at a time; the rest stays for other readers.
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while byte != UInt8(ascii: "\n") {
      let count = read(STDIN_FILENO, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      guard count == 1 else {
        if bytes.isEmpty { return .endOfInput }
        break
      }
      bytes.append(byte)
    }
    if let fault = UTF8Fault.first(in: bytes) { return .refused(bytes[fault]) }
    return .lines([String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)])
  }

  private static func lines(of text: String) -> [String] {
    // By bytes, because a Character may be a line feed together with a CR.
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }

  fileprivate func complete(
    _ line: String, _ cursor: Int, in editor: OpaquePointer
  ) -> ceditline_reaction {
    guard let completer else { return CEDITLINE_NOTHING }
    let (start, candidates) = completer(line, cursor)
    let completion = Completion(of: line, cursor: cursor, start: start, candidates: candidates)
    if completion.changesLine {
      ceditline_replace(editor, Int32(completion.deleted), completion.inserted)
    }
    guard !completion.listed.isEmpty else {
      return completion.changesLine ? CEDITLINE_CHANGED : CEDITLINE_NOTHING
    }
    ceditline_list(editor, completion.listing(width: TerminalProfile.detect().width))
    return CEDITLINE_LISTED
  }
}

// The context is the line editor, which outlives its C half and closes it when it is released.
private let completeLine: ceditline_completion = { context, editor, line, cursor in
  guard let context, let editor, let line else { return CEDITLINE_NOTHING }
  return Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue()
    .complete(String(cString: line), Int(cursor), in: editor)
}
