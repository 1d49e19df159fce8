import AuthCore
import Testing

@testable import BuiltInProviders

@Suite struct `Regions of phone numbers` {
  @Test(arguments: [
    ("+15555550100", "US"), ("+14165550100", "CA"), ("+18095550100", "DO"), ("+79161234567", "RU"),
    ("+77011234567", "KZ"), ("+4915112345678", "DE"), ("+81312345678", "JP"), ("+3531234567", "IE"),
    ("+2471234", "AC"), ("+376123456", "AD"),
  ])
  func `follow from their calling codes`(_ number: String, _ region: String) throws {
    #expect(CallingCodes.regions(of: try PhoneNumber(number)) == [region])
  }

  @Test func `that share numbers are all meant, and some codes are of none`() throws {
    #expect(
      CallingCodes.regions(of: try PhoneNumber("+447911123456")) == ["GB", "GG", "IM", "JE"])
    #expect(CallingCodes.regions(of: try PhoneNumber("+80012345678")) == [])
  }

  @Test func `decide which numbers get messages`() {
    let only = MessageRegions.only(["GB"])
    #expect(only.allows(["GB", "JE"]) && !only.allows(["US"]) && !only.allows([]))
    let most = MessageRegions.allExcept(["GB"])
    #expect(most.allows(["GB", "JE"]) && !most.allows(["GB"]) && most.allows([]))
  }
}
