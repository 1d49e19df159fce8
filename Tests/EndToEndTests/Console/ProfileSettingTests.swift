import Testing
import TestSupport

/// The effect of vendors' data on profiles, as an admin sets it.
@Suite struct `The console sets what happens to profiles` {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `F11: profileOnSignIn is read, changed and described, and another word is refused`()
    throws
  {
    let output = try folder.lua(
      """
      print(settings.get().profileOnSignIn)
      local receipt = settings.set { profileOnSignIn = "keep" }
      print(settings.get().profileOnSignIn)
      local ok, err = pcall(settings.set, { profileOnSignIn = "folow" })
      print(ok, err.code, err.field, tostring(err):find("follow", 1, true) ~= nil)
      print(settings.get().profileOnSignIn)
      """)
    #expect(output == "fill\nkeep\nfalse\tinvalid-argument\tprofileOnSignIn\ttrue\nkeep")
  }
}
