import AuthCore
import Foundation
import LuaPlugins

extension PluginSet {
  /// The plug-ins of the folder `Plugins`, one of each kind.
  static func examples(
    on host: PluginHost, beside builtIn: ProviderRegistry
  ) throws -> PluginSet {
    let plugins = PluginSet(host: host, isReserved: builtIn.isReserved)
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Plugins")
    for vendor in Vendor.allCases where vendor.pluginHost != nil {
      try plugins.load(path: folder.appending(path: "\(vendor).lua").path)
    }
    return plugins
  }
}
