import AuthCore
import Foundation
import Testing

@testable import AdminConsole

@Suite struct TimeTextTests {
  private let winter = Timestamp(milliseconds: 1_764_041_556_789)  // 2025-11-25T03:32:36.789Z
  private let summer = Timestamp(milliseconds: 1_751_328_000_000)  // 2025-07-01T00:00:00Z

  @Test func `a time has the seconds and the zone of the admin`() throws {
    let paris = try #require(ConsoleLook.zone(named: "Europe/Paris"))
    #expect(winter.text(in: .gmt) == "2025-11-25 03:32:36")
    #expect(winter.textWithZone(.gmt) == "2025-11-25 03:32:36 UTC")
    #expect(winter.textWithZone(paris) == "2025-11-25 04:32:36 +01:00")
    #expect(summer.textWithZone(paris) == "2025-07-01 02:00:00 +02:00")
    let west = try #require(ConsoleLook.zone(named: "America/St_Johns"))
    #expect(winter.textWithZone(west) == "2025-11-25 00:02:36 -03:30")
  }

  @Test func `a time before 1970 is rounded down`() {
    #expect(Timestamp(milliseconds: -1).text(in: .gmt) == "1969-12-31 23:59:59")
  }

  @Test func `the zone is that of TZ`() {
    #expect(ConsoleLook(environment: ["TZ": "Asia/Tokyo"]).zone.identifier == "Asia/Tokyo")
    #expect(ConsoleLook(environment: ["TZ": ":Asia/Tokyo"]).zone.identifier == "Asia/Tokyo")
    #expect(ConsoleLook(environment: ["TZ": ""]).zone.shownName == "UTC")
    #expect(ConsoleLook.zone(named: "Atlantis/Capital") == nil)
  }
}
