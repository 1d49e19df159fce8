import AuthCore
import CCrypt

extension LegacyHash {
  static let bcryptLength = 60
  // Each step doubles the time, so a large cost would keep a core busy for seconds.
  static let bcryptCosts = 4...16
  private static let digestLetters = 31

  /// Computes the text anew with the system's crypt and compares its digest.
  ///
  /// The stored hash is the bcrypt text itself (`$2b$10$…`); a salt beside it is not used. Like bcrypt, this reads
  /// 72 bytes of a password and ignores the rest.
  func bcryptMatches(_ password: [UInt8]) throws(PasswordHasherError) -> Bool {
    // A C string ends at the first zero byte, so the rest would not count.
    guard !password.contains(0) else { return false }
    guard let computed = Self.crypt(Array(password.prefix(72)), setting: stored),
      computed.count == Self.bcryptLength
    else {
      throw .failed("BCRYPT")
    }
    // Four bits of the salt's last letter mean nothing; crypt clears them, other software may not.
    return computed.suffix(Self.digestLetters)
      .equalsInConstantTime(stored.suffix(Self.digestLetters))
  }

  func checkBcrypt() throws(PasswordHasherError) {
    guard stored.count == Self.bcryptLength,
      let text = String(validating: stored, as: UTF8.self),
      let form = text.wholeMatch(of: /\$2[abxy]\$([0-9]{2})\$[.\/A-Za-z0-9]{53}/),
      let cost = Int(form.1)
    else { throw .malformed("The hash is not a bcrypt text in base64.") }
    guard Self.bcryptCosts.contains(cost) else {
      throw .malformed("The bcrypt cost \(cost) is not between 4 and 16.")
    }
  }

  private static func crypt(_ password: [UInt8], setting: [UInt8]) -> [UInt8]? {
    let size = MemoryLayout<crypt_data>.size
    let work = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: MemoryLayout<crypt_data>.alignment)
    work.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    defer { work.deallocate() }
    let phrase = (password + [0]).map(CChar.init(bitPattern:))
    let terminated = (setting + [0]).map(CChar.init(bitPattern:))
    guard let result = crypt_rn(phrase, terminated, work, Int32(size)) else { return nil }
    return Array(String(cString: result).utf8)
  }
}
