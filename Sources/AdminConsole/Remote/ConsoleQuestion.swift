import AuthCore

/// A question of a session on a server to the admin's machine.
enum ConsoleQuestion: Sendable {
  /// A text that is not shown while it is typed.
  case secret(String)
  /// A line that is shown while it is typed.
  case line(String)
  /// The next lines of standard input.
  case input
  /// The bytes of a file.
  case read(path: String, limit: Int)
  /// A new file that only its owner can read.
  case create(path: String, bytes: [UInt8])
  /// A file below the folders to which the admin allows writing.
  case write(path: String, bytes: [UInt8], overwrite: Bool)

  /// The size of a file that a client may send.
  static let mostBytes = 32 << 20
  /// The size of a file that a server may write.
  static let mostWritten = 16 << 20
  static let tooLarge = "it is larger than 32 MiB"

  /// The question as a member of an answer.
  func json(id: Int) -> JSONValue {
    var members: [String: JSONValue] = ["id": .integer(Int64(id))]
    switch self {
    case .secret(let text): members.merge(["kind": "secret", "text": .string(text)]) { $1 }
    case .line(let text): members.merge(["kind": "line", "text": .string(text)]) { $1 }
    case .input: members["kind"] = "input"
    case .read(let path, let limit):
      members.merge([
        "kind": "read", "path": .string(path), "limit": .integer(Int64(limit)),
      ]) { $1 }
    case .create(let path, let bytes):
      members.merge([
        "kind": "create", "path": .string(path), "bytes": .string(Base64.standard.text(bytes)),
      ]) { $1 }
    case .write(let path, let bytes, let overwrite):
      members.merge([
        "kind": "write", "path": .string(path), "bytes": .string(Base64.standard.text(bytes)),
        "overwrite": .bool(overwrite),
      ]) { $1 }
    }
    return ["question": .object(members)]
  }

  /// Reads a question; nil for a kind that this version does not know.
  init?(_ json: JSONValue) {
    let (text, path) = (json["text"]?.stringValue ?? "", json["path"]?.stringValue)
    switch (json["kind"]?.stringValue, path) {
    case ("secret", _): self = .secret(text)
    case ("line", _): self = .line(text)
    case ("input", _): self = .input
    case ("read", let path?):
      self = .read(path: path, limit: json["limit"]?.count ?? 0)
    case ("create", let path?), ("write", let path?):
      let encoded = json["bytes"]?.stringValue ?? ""
      guard let bytes = Base64.standard.bytes(of: encoded.utf8, padding: .optional) else {
        return nil
      }
      self =
        json["kind"] == "create"
        ? .create(path: path, bytes: bytes)
        : .write(path: path, bytes: bytes, overwrite: json["overwrite"] == true)
    default: return nil
    }
  }
}

/// The answer to a question.
enum ConsoleReply: Sendable {
  case text(String)
  case bytes([UInt8])
  /// Lines of standard input, and whether it ended after them.
  case lines([String], isEnd: Bool)
  case done
  /// The admin's machine could not answer, for a reason.
  case refused(String)

  /// The reply as members of a request.
  var members: [String: JSONValue] {
    switch self {
    case .text(let text): ["text": .string(text)]
    case .bytes(let bytes): ["bytes": .string(Base64.standard.text(bytes))]
    case .lines(let lines, let isEnd):
      ["lines": .array(lines.map(JSONValue.string)), "isEnd": .bool(isEnd)]
    case .done: [:]
    case .refused(let reason): ["refused": .string(reason)]
    }
  }

  /// Reads a reply; throws `invalid-argument` if it is none.
  init(_ body: JSONValue) throws(AuthError) {
    if let reason = body["refused"]?.stringValue {
      self = .refused(reason)
    } else if let text = body["text"]?.stringValue {
      self = .text(text)
    } else if case .array(let lines)? = body["lines"] {
      self = .lines(lines.compactMap(\.stringValue), isEnd: body["isEnd"] == true)
    } else if let encoded = body["bytes"]?.stringValue {
      guard let bytes = Base64.standard.bytes(of: encoded.utf8, padding: .optional) else {
        throw AuthError(
          .invalidArgument, "The field bytes is not base64.", field: "bytes",
          remedy: "Encode the bytes of the file.")
      }
      self = .bytes(bytes)
    } else {
      self = .done
    }
  }
}

extension JSONValue {
  /// The number as a count; nil if it is none.
  var count: Int? {
    if case .integer(let number) = self { Int(exactly: number) } else { nil }
  }
}
