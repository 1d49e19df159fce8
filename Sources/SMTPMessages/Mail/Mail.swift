import AuthValues

/// A message in the form for a mail server (RFC 5322, RFC 2046).
struct Mail {
  let from: MailAddress
  let fromName: String?
  let to: MailAddress
  let text: MessageText
  let date: Timestamp
  let id: String

  /// Encodes the message in lines that end with CR LF.
  ///
  /// Throws `invalid-argument` (field `subject`) if a header contains a line break.
  func encoded() throws(AuthError) -> String {
    try MailHeader.check(text.subject, field: "subject")
    let boundary = "=_" + id.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(40)
    var lines = [
      "From: \(MailHeader.mailbox(from, name: fromName))", "To: <\(to.text)>",
      "Subject: \(MailHeader.text(text.subject))", "Date: \(MailHeader.date(date))",
      "Message-ID: \(id)", "MIME-Version: 1.0",
      // Keeps mail systems from sending absence notes (RFC 3834).
      "Auto-Submitted: auto-generated",
      "Content-Type: multipart/alternative;\r\n boundary=\"\(boundary)\"", "",
    ]
    for (type, body) in [("plain", text.plain), ("html", text.html)] {
      lines += [
        "--\(boundary)", "Content-Type: text/\(type); charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable", "", QuotedPrintable.encoded(body), "",
      ]
    }
    return (lines + ["--\(boundary)--", ""]).joined(separator: "\r\n")
  }
}

/// The encoding of RFC 2045, section 6.7.
enum QuotedPrintable {
  private static let longestLine = 76

  /// Encodes a text in lines of at most 76 ASCII characters, none of which begins with a dot.
  static func encoded(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { encodedLine(Array($0.utf8)) }.joined(separator: "\r\n")
  }

  private static func encodedLine(_ bytes: [UInt8]) -> String {
    var result = ""
    var width = 0
    for (index, byte) in bytes.enumerated() {
      let isLast = index == bytes.count - 1
      let isSpace = byte == 32 || byte == 9
      let isPlain =
        (33...126).contains(byte) && byte != UInt8(ascii: "=") || isSpace && !isLast
      var piece = isPlain ? String(UnicodeScalar(byte)) : escaped(byte)
      if width + piece.count >= longestLine {
        result += "=\r\n"
        width = 0
      }
      if width == 0, byte == UInt8(ascii: ".") { piece = escaped(byte) }
      result += piece
      width += piece.count
    }
    return result
  }

  private static func escaped(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "=0\(digits)" : "=\(digits)"
  }
}
