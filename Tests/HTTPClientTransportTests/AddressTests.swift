import HTTPClientTransport
import Testing

struct AddressTests {
  @Test(arguments: [
    "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
    "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111", "2a00:1450:4001:80b::200e", "2001:4860:4860::8888", "3ffe::1",
    "64:ff9b::8.8.8.8", "2002:0808:0808::1", "2001:0:808:808:0:0:f7f7:f7f7", "::ffff:8.8.8.8",
  ])
  func `an address of the open internet is public`(_ text: String) throws {
    #expect(try #require(IPAddress(text)).isPublic)
  }

  @Test(arguments: [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.100.100.200",
    "100.127.255.255", "127.0.0.1", "127.255.255.254", "168.63.129.16", "169.254.169.254",
    "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1",
    "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250",
    "240.0.0.1", "255.255.255.255",
  ])
  func `attack 29: an IPv4 address of a closed range is private, in every IPv6 clothing`(
    _ text: String
  ) throws {
    let address = try #require(IPAddress(text))
    #expect(!address.isPublic)
    let pairs = address.bytes.map { byte in String(byte, radix: 16) }
    let turned = address.bytes.map { byte in String(byte ^ 0xFF, radix: 16) }
    func word(_ pairs: [String], _ index: Int) -> String {
      pairs[index] + (pairs[index + 1].count == 1 ? "0" : "") + pairs[index + 1]
    }
    let clothed = [
      "::ffff:\(text)", "::\(text)", "64:ff9b::\(text)", "64:ff9b:1::\(text)",
      "2002:\(word(pairs, 0)):\(word(pairs, 2))::1",
      "2001:0:\(word(pairs, 0)):\(word(pairs, 2)):0:0:f7f7:f7f7",
      "2001:0:808:808:0:0:\(word(turned, 0)):\(word(turned, 2))",
    ]
    for spelling in clothed {
      let inner = try #require(IPAddress(spelling), "\(spelling)")
      #expect(!inner.isPublic, "\(spelling)")
    }
  }

  @Test(arguments: [
    "::", "::1", "fc00::1", "fd00:ec2::254", "fe80::1", "febf::1", "fec0::1", "ff02::1", "100::1",
    "2001:db8::1", "2001:2::1", "2001:10::1", "3fff::1", "5f00::1", "4000::1", "::8.8.8.8",
    "64:ff9b:1::8.8.8.8",
  ])
  func `attack 29: an IPv6 address outside of global unicast is private`(_ text: String) throws {
    #expect(try !#require(IPAddress(text)).isPublic)
  }

  @Test func `an address is printed as it is usually written`() {
    #expect(IPAddress("::ffff:10.1.2.3")?.description == "10.1.2.3")
    #expect(IPAddress("2001:DB8:0:0:0:0:0:1")?.description == "2001:db8::1")
    #expect(IPAddress("fe80::1%eth0") == nil)
    #expect(IPAddress("127.1") == nil)
    #expect(IPAddress(bytes: [1, 2, 3]) == nil)
  }

  @Test func `a block holds the addresses of its prefix`() throws {
    let block = try #require(AddressBlock("172.16.0.0/12"))
    #expect(block.contains(try #require(IPAddress("172.31.255.255"))))
    #expect(!block.contains(try #require(IPAddress("172.32.0.0"))))
    #expect(!block.contains(try #require(IPAddress("::1"))))
    #expect(AddressBlock("10.0.0.0/33") == nil)
    #expect(AddressBlock("10.0.0.0/-1") == nil)
    #expect(AddressBlock("10.0.0.0/8/8") == nil)
    #expect(AddressBlock("name/8") == nil)
    #expect(AddressBlock("") == nil)
  }
}
