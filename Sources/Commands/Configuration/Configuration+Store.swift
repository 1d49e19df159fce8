import AuthCore
import Yams

extension Configuration {
  /// Reads the location of the accounts.
  ///
  /// A URL may be a secret, which is then in a file of its own.
  static func store(_ top: ConfigurationSection, else usual: StoreLocation) -> StoreLocation {
    if top.member("store")?.mapping != nil {
      guard let url = top.secret("store") else { return .memory }
      return location(url.reveal(), top, place: nil)
    }
    guard let raw = top.raw("store") else { return usual }
    return location(raw.text, top, place: raw)
  }

  /// Reads the replicas that may answer lookups.
  static func replicas(_ top: ConfigurationSection, of store: StoreLocation) -> [String] {
    // A URL has no spaces, but a URL with several hosts has commas.
    guard let raw = top.raw("replicas", asList: true),
      let urls = top.list("replicas", separator: " ")
    else { return [] }
    guard case .postgres = store else {
      top.tell(
        "replicas", "are of no use: only a store in PostgreSQL has replicas.",
        remedy: "Leave them out, or set store to a URL of PostgreSQL.", at: raw)
      return []
    }
    for url in urls {
      guard let location = try? StoreLocation(url), case .postgres = location else {
        top.tell(
          "replicas", "hold a text that is no URL of PostgreSQL.",
          remedy: "Write postgres://USER@HOST:PORT/DATABASE.", at: raw)
        continue
      }
      if raw.origin == .file, location.holdsPassword {
        top.tell(
          "replicas", "hold a URL with a password, which is written in clear.",
          remedy: "Set AUTHGRAPH_REPLICAS, or name a password file in the URL with passfile=PATH.",
          at: raw)
      }
    }
    return urls
  }

  /// Reports a missing key of the store's secrets, if the store's location does not determine one.
  func checkKey(_ top: ConfigurationSection) {
    guard case .postgres = store, keyFile == nil else { return }
    top.tell(
      "keyFile", "is missing; the secrets of a store in PostgreSQL are sealed with it.",
      remedy: "Set it to a file that each server has a copy of.", at: top.node)
  }

  private static func location(
    _ text: String, _ top: ConfigurationSection, place raw: ConfigurationSection.Raw?
  ) -> StoreLocation {
    do throws(AuthError) {
      let location = try StoreLocation(text)
      if let raw, raw.origin == .file {
        if location.holdsPassword {
          top.tell(
            "store", "is a URL with a password, which is written in clear.",
            remedy:
              "Put the URL into a file of its own and write { file: PATH }, set AUTHGRAPH_STORE, or name "
              + "a password file in the URL with passfile=PATH.", at: raw)
        }
        // A path in the file is relative to the file's folder.
        if case .sqlite(let path) = location, !path.hasPrefix("/") {
          return .sqlite(path: "\(top.source.folder)/\(path)")
        }
      }
      return location
    } catch {
      if let raw {
        top.tell("store", "cannot be used: \(error.message)", remedy: error.remedy, at: raw)
      } else {
        top.tell(
          "store", "cannot be used: \(error.message)", remedy: error.remedy,
          at: top.member("store"))
      }
      return .memory
    }
  }
}
