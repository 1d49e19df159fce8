import AuthCore
import Foundation
import LuaPlugins

extension PluginSet {
  /// The plug-ins of the folder `Plugins`, one of each kind.
  static func examples(on host: PluginHost) throws -> PluginSet {
    let plugins = PluginSet(host: host)
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Plugins")
    for vendor in Vendor.allCases where vendor.pluginHost != nil {
      try plugins.load(path: folder.appending(path: "\(vendor).lua").path)
    }
    return plugins
  }
}
