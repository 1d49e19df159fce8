import Foundation
@testable import LuaPlugins
import TestSupport

/// A plug-in for others with a module, a fixture and an icon, in a folder of its own.
struct Orbit {
  let folder: TemporaryFolder

  init(version: String = "1.0.0", hosts: [String] = ["orbit.example"], more: String = "") throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/shared", withIntermediateDirectories: true)
    try folder.write("shared/names.lua", "return { person = function(p) return p.name end }\n")
    try folder.write("orbit.example.fixture.json", "{ \"scenarios\": [] }\n")
    try folder.write("icon.png", bytes: [0x89, 0x50, 0x4E, 0x47, 0xFF, 0x00])
    try folder.write("orbit.example.lua", Self.text(version, hosts, more))
  }

  static func text(_ version: String, _ hosts: [String], _ more: String) -> String {
    let hosts = hosts.map { "\"\($0)\"" }.joined(separator: ", ")
    return """
      local names = include "shared/names.lua"
      return provider {
        id = "orbit.example", name = "Orbit", kind = "oauth2", api = 1, version = "\(version)",
        icon = "icon.png", hosts = { \(hosts) }, \(more)
        authorize = "https://orbit.example/authorize", token = "https://orbit.example/token",
        userinfo = "https://orbit.example/me",
        identity = { subject = "id", displayName = names.person },
      }

      """
  }

  var path: String { "\(folder.path)/orbit.example.lua" }

  /// Packs the plug-in, and signs it with keys.
  func bundle(signedWith keys: BundleSigningKey...) throws -> PluginBundle {
    var bundle = try PluginBundle(packing: path)
    for key in keys { try bundle.sign(with: key) }
    return bundle
  }
}
