import AuthValues
import Testing

@Suite struct `Hexadecimal text` {
  @Test func `each byte has two digits`() {
    #expect([UInt8]([0, 9, 10, 255]).hexadecimal == "00090aff")
    #expect([UInt8]().hexadecimal == "")
  }

  @Test func `a digit of either case is read, and no other character`() {
    let characters = (UInt8.min...UInt8.max).filter { $0.hexadecimalValue != nil }
    #expect(String(decoding: characters, as: UTF8.self) == "0123456789ABCDEFabcdef")
    #expect("aF09".utf8.map(\.hexadecimalValue) == [10, 15, 0, 9])
  }
}
