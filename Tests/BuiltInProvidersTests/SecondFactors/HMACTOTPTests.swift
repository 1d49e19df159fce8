import AuthCore
import AuthTesting
import BuiltInProviders
import Foundation
import Testing

@Suite struct HMACTOTPTests {
  private let method = HMACTOTP()
  /// The secret of the vectors in RFC 6238, appendix B: the ASCII text 12345678901234567890.
  private let secret = Secret("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")

  /// The last six of the eight digits in RFC 6238, appendix B.
  static let vectors: [(seconds: Int64, code: String)] = [
    (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"),
    (1_234_567_890, "005924"), (2_000_000_000, "279037"), (20_000_000_000, "353130"),
  ]

  @Test(arguments: vectors)
  func `the codes are those of RFC 6238`(vector: (seconds: Int64, code: String)) {
    let time = Timestamp(milliseconds: vector.seconds * 1000)

    #expect(method.code(for: secret, at: time) == vector.code)
    #expect(
      method.step(of: vector.code, secret: secret, at: time, drift: 0) == vector.seconds / 30)
  }

  @Test func `the codes are those of pyotp for 10,000 secrets and times`() throws {
    var generator = SeededGenerator()
    let edges: [Int64] = [0, 1, 29, 30, 31, 59, 60, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 40]
    var questions: [(secret: String, seconds: Int64)] = []
    for number in 0..<10_000 {
      let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
      // 120 to 640 bits: 64 bytes are a block of SHA-1, and a longer key is hashed first (RFC 2104).
      let secret = (0..<8 * Int.random(in: 3...16, using: &generator)).map { _ in
        letters[Int.random(in: 0..<32, using: &generator)]
      }
      var seconds = Int64.random(in: 0...(1 << 40), using: &generator)
      switch number % 4 {
      case 0: seconds = edges[number / 4 % edges.count]
      case 1: seconds = seconds / 30 * 30 + Int64.random(in: -1...1, using: &generator)
      case 2: seconds %= 1 << 32
      default: break
      }
      questions.append((String(secret), max(0, seconds)))
    }
    let pyotp = try PythonProgram(
      """
      import pyotp, sys
      for line in sys.stdin:
        secret, seconds = line.split()
        print(pyotp.HOTP(secret).at(int(seconds) // 30))
      """, packages: ["pyotp"])

    let answers = try pyotp.output(
      input: questions.map { "\($0.secret) \($0.seconds)\n" }.joined()
    ).split(separator: "\n").map(String.init)

    #expect(answers.count == questions.count)
    let differing = zip(questions, answers).filter { question, answer in
      let time = Timestamp(milliseconds: question.seconds * 1000 + 999)
      return method.code(for: Secret(question.secret), at: time) != answer
        || method.step(of: answer, secret: Secret(question.secret), at: time, drift: 0)
          != question.seconds / 30
    }
    #expect(differing.isEmpty, "\(generator)")
  }

  @Test(arguments: [0, 1, 2, 5])
  func `a code counts inside the window and not beside it`(drift: Int) throws {
    let noon = Timestamp(milliseconds: 1_750_000_020_000)
    let present = noon.milliseconds / 30_000

    for away in -7...7 {
      let code = try #require(
        method.code(for: secret, at: noon.adding(seconds: Int64(away) * 30)))
      let step = method.step(of: code, secret: secret, at: noon, drift: drift)
      #expect(step == (abs(away) <= drift ? present + Int64(away) : nil), "\(away) steps away")
    }
  }

  @Test func `a step begins with its first millisecond and ends before the next`() throws {
    let start = Timestamp(milliseconds: 1_750_000_020_000)
    let code = try #require(method.code(for: secret, at: start))

    for (milliseconds, counts) in [(-1, false), (0, true), (29_999, true), (30_000, false)] {
      let time = Timestamp(milliseconds: start.milliseconds + Int64(milliseconds))
      let step = method.step(of: code, secret: secret, at: time, drift: 0)
      #expect((step != nil) == counts, "\(milliseconds) ms")
    }
  }

  @Test func `no step comes before the first in 1970`() throws {
    let start = Timestamp(milliseconds: 0)
    let code = try #require(method.code(for: secret, at: start))

    #expect(method.step(of: code, secret: secret, at: start, drift: 5) == 0)
    #expect(method.code(for: secret, at: Timestamp(milliseconds: -1)) == nil)
    #expect(
      method.step(of: code, secret: secret, at: Timestamp(milliseconds: -1), drift: 0) == nil)
    #expect(method.step(of: code, secret: secret, at: start, drift: -1) == 0)
    #expect(method.step(of: code, secret: secret, at: start, drift: .max) == 0)
  }

  @Test(arguments: ["287082", "287 082", " 287082 ", "2 8 7 0 8 2"])
  func `a code may be typed in groups`(code: String) {
    let time = Timestamp(milliseconds: 59_000)

    #expect(method.step(of: code, secret: secret, at: time, drift: 0) == 1)
  }

  @Test(arguments: [
    "", " ", "28708", "2870820", "94287082", "+87082", "28708.", "0x2870", "28708２", "２８７０８２",
    "٢٨٧٠٨٢", "287\u{A0}082", "287082\u{0}", "287-082", "287082\n",
  ])
  func `a text that is not six ASCII digits is no code`(code: String) {
    let time = Timestamp(milliseconds: 59_000)

    #expect(method.step(of: code, secret: secret, at: time, drift: 0) == nil)
  }

  @Test(arguments: [
    "gezdgnbvgy3tqojqgezdgnbvgy3tqojq", "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ",
    "gezd-gnbv-gy3t-qojq-gezd-gnbv-gy3t-qojq", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ======",
  ])
  func `a secret may be written as people and apps write it`(written: String) {
    let time = Timestamp(milliseconds: 59_000)

    #expect(method.code(for: Secret(written), at: time) == "287082")
  }

  @Test func `a secret of 80 bits, as old apps made them, is taken`() {
    let code = method.code(for: Secret("GEZDGNBVGY3TQOJQ"), at: Timestamp(milliseconds: 59_000))

    #expect(code == "263420")
  }

  @Test(arguments: [
    "", "=", "A", "GEZDGNBVGY3TQOI", "GEZDGNBVGY3TQOJ1", "GEZDGNBVGY3TQOJ0", "GEZDGNBVGY3TQOJ8",
    "GEZDGNBV=GY3TQOJQ", "GEZDGNBVGY3TQOJQ=======", "GEZDGNBVGY3TQOJQG", "ＧEZDGNBVGY3TQOJQ",
    "not a secret!",
  ])
  func `a secret that is none, or too short, has no codes`(written: String) {
    let time = Timestamp(milliseconds: 59_000)

    #expect(method.code(for: Secret(written), at: time) == nil)
    // A method that accepts an empty key has this code for it, which any attacker could compute.
    for code in ["287082", "000000", "812658"] {
      #expect(method.step(of: code, secret: Secret(written), at: time, drift: 100) == nil)
    }
  }

  @Test func `new secrets have 160 bits and are never the same`() throws {
    let secrets = (0..<1000).map { _ in method.newSecret().reveal() }

    #expect(Set(secrets).count == 1000)
    #expect(secrets.allSatisfy { $0.wholeMatch(of: /[A-Z2-7]{32}/) != nil })
    // Every bit of the text is used: each letter occurs somewhere.
    #expect(Set(secrets.joined()).count == 32)
  }

  @Test func `a secret is not shown`() {
    #expect("\(method.newSecret())" == "•••")
  }
}
