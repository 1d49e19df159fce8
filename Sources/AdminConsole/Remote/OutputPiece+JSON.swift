import AuthCore
import TerminalOutput

/// A piece of output on its way from a server to the admin's terminal.
struct SentPiece {
  let piece: OutputPiece
  /// True for results, false for notices, errors and progress.
  let isResult: Bool

  init(_ piece: OutputPiece, isResult: Bool) {
    self.piece = piece
    self.isResult = isResult
  }

  /// The piece as a member of an answer, such as `{"text": "…", "to": "results"}`.
  var json: JSONValue {
    var members: [String: JSONValue] = ["to": isResult ? "results" : "notices"]
    switch piece.content {
    case .text(let text): members["text"] = .string(text)
    case .line(let text): members["line"] = .string(text)
    case .redrawing(let text): members["progress"] = .string(text)
    case .json(let bytes): members["json"] = .string(String(decoding: bytes, as: UTF8.self))
    case .painted(let text): members["painted"] = .array(text.pieces.map(\.json))
    case .bytes(let bytes):
      if let text = String(validating: bytes, as: UTF8.self) {
        members["string"] = .string(text)
      } else {
        members["bytes"] = .string(Base64.standard.text(bytes))
      }
    }
    if !piece.endsLine, members["progress"] == nil { members["continues"] = true }
    return .object(members)
  }

  /// Reads a piece; nil for one of a kind that this version does not know.
  init?(_ json: JSONValue) {
    guard case .object(let members) = json, let content = Self.content(members) else { return nil }
    let continues = members["continues"] == true || members["progress"] != nil
    self.init(
      OutputPiece(content, endsLine: !continues), isResult: members["to"] == "results")
  }

  private static func content(_ members: [String: JSONValue]) -> OutputPiece.Content? {
    if let text = members["text"]?.stringValue { return .text(text) }
    if let text = members["line"]?.stringValue { return .line(text) }
    if let text = members["progress"]?.stringValue { return .redrawing(text) }
    if let text = members["json"]?.stringValue { return .json(Array(text.utf8)) }
    if let text = members["string"]?.stringValue { return .bytes(Array(text.utf8)) }
    if let text = members["bytes"]?.stringValue {
      return Base64.standard.bytes(of: text.utf8, padding: .optional).map { .bytes($0) }
    }
    if case .array(let pieces)? = members["painted"] {
      return .painted(PaintedText(pieces.compactMap(PaintedText.Piece.init)))
    }
    return nil
  }
}

extension PaintedText.Piece {
  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = ["text": .string(text)]
    if style != .plain { members["style"] = .string(style.rawValue) }
    if origin != .laidOut { members["origin"] = .string(origin.rawValue) }
    return .object(members)
  }

  fileprivate init?(_ json: JSONValue) {
    guard let text = json["text"]?.stringValue else { return nil }
    // Only the text of a layout is taken as one; anything unknown is treated as untrusted.
    let origin = json["origin"].map {
      $0.stringValue.flatMap(PaintedText.Origin.init) ?? .free
    }
    self.init(
      text: text, style: json["style"]?.stringValue.flatMap(TextStyle.init) ?? .plain,
      origin: origin ?? .laidOut)
  }
}

extension OutputPiece {
  /// The approximate number of bytes.
  var size: Int {
    switch content {
    case .text(let text), .line(let text), .redrawing(let text): text.utf8.count
    case .bytes(let bytes), .json(let bytes): bytes.count
    case .painted(let text): text.pieces.reduce(0) { $0 + $1.text.utf8.count + 32 }
    }
  }

  /// The piece in parts of at most a size, as far as text can be divided.
  func parts(of size: Int) -> [OutputPiece] {
    guard self.size > size else { return [self] }
    let parts: [Content] =
      switch content {
      case .text(let text): Self.cut(Array(text.utf8), size).map { .text($0.text) }
      case .bytes(let bytes): Self.cut(bytes, size).map { .bytes($0) }
      case .painted(let text): Self.cut(text.pieces, size).map { .painted(PaintedText($0)) }
      // A part of a JSON text is none.
      case .line, .redrawing, .json: [content]
      }
    return parts.enumerated().map { index, part in
      OutputPiece(part, endsLine: endsLine && index == parts.count - 1)
    }
  }

  /// Divides bytes, if possible between two characters.
  private static func cut(_ bytes: [UInt8], _ size: Int) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var rest = bytes[...]
    while rest.count > size {
      var end = rest.startIndex + size
      for _ in 0..<3 where rest[end] & 0xC0 == 0x80 { end -= 1 }
      parts.append(Array(rest[..<end]))
      rest = rest[end...]
    }
    return parts + [Array(rest)]
  }

  private static func cut(
    _ pieces: [PaintedText.Piece], _ size: Int
  ) -> [[PaintedText.Piece]] {
    var parts: [[PaintedText.Piece]] = [[]]
    var held = 0
    for piece in pieces {
      for text in cut(Array(piece.text.utf8), size) {
        if held > size {
          parts.append([])
          held = 0
        }
        parts[parts.count - 1].append(
          PaintedText.Piece(text: text.text, style: piece.style, origin: piece.origin))
        held += text.count + 32
      }
    }
    return parts
  }
}

extension [UInt8] {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
