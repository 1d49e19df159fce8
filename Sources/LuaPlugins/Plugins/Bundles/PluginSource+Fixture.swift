public import Foundation

extension PluginSource {
  /// True for the plug-in of a bundle, whose fixture is in the bundle.
  public var isBundled: Bool { path.map(PluginBundle.isOne) ?? false }

  /// The name of the fixture: `ID.fixture.json` of `ID.lua`.
  public var fixtureName: String {
    (name.hasSuffix(".lua") ? String(name.dropLast(4)) : name) + ".fixture.json"
  }

  /// The path of a plug-in file's fixture: `ID.fixture.json` beside `ID.lua`; nil without a file, and for a bundle.
  public var fixturePath: String? {
    guard let path, !isBundled else { return nil }
    return (path.hasSuffix(".lua") ? String(path.dropLast(4)) : path) + ".fixture.json"
  }

  /// The bytes of the fixture beside the file or in the bundle; nil if there is none.
  public var fixtureData: Data? {
    if let path, isBundled { return (try? PluginBundle(path: path))?.files[fixtureName] }
    return fixturePath.flatMap(FileManager.default.contents)
  }

  /// True if there is a fixture beside the file or in the bundle.
  public var hasFixture: Bool {
    guard let path = fixturePath else { return fixtureData != nil }
    return FileManager.default.fileExists(atPath: path)
  }
}
