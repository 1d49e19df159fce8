import AuthCore
import Foundation
import Testing

@testable import AuthClient

/// The app's settings in a request for a code.
@Suite struct ActionCodeSettingsTests {
  @Test func `settings that are not set send nothing but the running app`() {
    let settings = ActionCodeSettings()

    #expect(settings.iOSBundleID == Bundle.main.bundleIdentifier)
    settings.iOSBundleID = nil
    #expect(settings.members.isEmpty)
  }

  @Test func `set values are sent by the server's names`() {
    let settings = ActionCodeSettings()
    settings.url = URL(string: "https://app.example.com/done?a=1")
    settings.handleCodeInApp = true
    settings.iOSBundleID = "com.example.ios"
    settings.linkDomain = "auth.example.com"
    settings.setAndroidPackageName(
      "com.example.android", installIfNotAvailable: true, minimumVersion: "12")

    #expect(settings.androidPackageName == "com.example.android")
    #expect(settings.androidMinimumVersion == "12")
    #expect(settings.androidInstallIfNotAvailable)
    #expect(
      settings.members == [
        "continueUrl": "https://app.example.com/done?a=1", "canHandleCodeInApp": true,
        "iOSBundleId": "com.example.ios", "linkDomain": "auth.example.com",
        "androidPackageName": "com.example.android", "androidInstallApp": true,
        "androidMinimumVersion": "12",
      ])
  }

  @Test func `a copy is independent of its original`() throws {
    let settings = ActionCodeSettings()
    settings.linkDomain = "one.example"
    let copy = try #require(settings.copy() as? ActionCodeSettings)
    copy.linkDomain = "two.example"

    #expect(settings.linkDomain == "one.example")
    #expect(copy.linkDomain == "two.example")
  }
}
