/// The host of a URL in its one spelling: other spellings are the same host.
///
/// Numbers are parsed as in browsers (the WHATWG URL standard), because system libraries parse them in that way
/// too: `127.1`, `0x7f.1`, `0177.0.0.1` and `2130706433` are all 127.0.0.1.
enum HostText: Hashable, Sendable {
  /// A name in lower case, without a final dot.
  case name(String)
  case address(IPAddress)

  init?(_ text: some StringProtocol) {
    if text.hasPrefix("[") {
      guard text.hasSuffix("]"), text.contains(":"),
        let address = IPAddress(String(text.dropFirst().dropLast()))
      else { return nil }
      self = .address(address)
      return
    }
    var labels = text.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    guard let last = labels.last, labels.allSatisfy(Self.isLabel) else { return nil }
    if last.allSatisfy(\.isWholeNumber) || last.hasPrefix("0x") {
      guard let address = Self.address(of: labels) else { return nil }
      self = .address(address)
    } else {
      let name = labels.joined(separator: ".")
      guard name.utf8.count <= 253 else { return nil }
      self = .name(name)
    }
  }

  /// The host in the form of a URL.
  var text: String {
    switch self {
    case .name(let name): name
    case .address(let address): address.hostText
    }
  }

  private static func isLabel(_ label: Substring) -> Bool {
    (1...63).contains(label.utf8.count)
      && label.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  private static func address(of parts: [Substring]) -> IPAddress? {
    guard parts.count <= 4 else { return nil }
    var numbers: [UInt64] = []
    for part in parts {
      guard let number = number(part) else { return nil }
      numbers.append(number)
    }
    // The last number fills all remaining bytes.
    let tail = numbers.removeLast()
    let tailBytes = 4 - numbers.count
    guard numbers.allSatisfy({ $0 <= 0xFF }), tail < 1 << UInt64(8 * tailBytes) else { return nil }
    let rest = (0..<tailBytes).reversed().map { UInt8(truncatingIfNeeded: tail >> UInt64(8 * $0)) }
    return IPAddress(bytes: numbers.map { UInt8($0) } + rest)
  }

  private static func number(_ text: Substring) -> UInt64? {
    if text.hasPrefix("0x") {
      let digits = text.dropFirst(2)
      return digits.isEmpty ? 0 : digits.allSatisfy(\.isHexDigit) ? UInt64(digits, radix: 16) : nil
    }
    guard text.allSatisfy(\.isWholeNumber) else { return nil }
    return text.count > 1 && text.hasPrefix("0") ? UInt64(text, radix: 8) : UInt64(text)
  }
}

extension HostText {
  /// True if the name can only mean a near host: a single word, or a domain reserved for private use.
  ///
  /// These are RFC 6761 (localhost), RFC 6762 (local), RFC 8375 (home.arpa), and `internal`, which ICANN reserves
  /// for private use and in which clouds put their metadata servers. It is checked before any name server is asked,
  /// so that it also protects requests through a proxy.
  var isPrivateName: Bool {
    guard case .name(let name) = self else { return false }
    return !name.contains(".")
      || [".localhost", ".local", ".internal", ".home.arpa"].contains { name.hasSuffix($0) }
      || name == "home.arpa"
  }
}
