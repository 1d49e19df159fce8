import AuthCore
import LuaPlugins

extension Configuration {
  /// Reads the public keys that may sign bundles of plug-ins.
  static func pluginKeys(_ top: ConfigurationSection) -> [BundleKey] {
    guard let raw = top.raw("pluginKeys", asList: true) else { return [] }
    let texts = top.list("pluginKeys") ?? []
    if texts.isEmpty {
      top.tell(
        "pluginKeys", "has no key.",
        remedy: "Name a key, or leave the setting out to allow every installed bundle.", at: raw)
    }
    return texts.compactMap { text in
      do throws(AuthError) {
        return try BundleKey(text)
      } catch {
        top.tell("pluginKeys", "has an entry that is no public key.", remedy: error.remedy, at: raw)
        return nil
      }
    }
  }
}
