import AuthCore
import Foundation

/// Reads `federatedId`, which Firebase's servers write as the vendor's address followed by the subject, such as
/// `https://accounts.google.com/1234567890`.
enum FederatedID {
  /// Additional domains of vendors whose address differs from their provider ID.
  private static let furtherDomains = [
    "microsoft.com": ["login.live.com", "login.microsoftonline.com"], "twitter.com": ["x.com"],
  ]

  private static let vendors = [
    "google.com", "facebook.com", "twitter.com", "github.com", "apple.com", "microsoft.com",
    "linkedin.com", "yahoo.com",
  ]

  /// Returns the subject of a provider's entry; nil if the address belongs to another vendor or holds more than a
  /// subject.
  ///
  /// A text that is no address is itself the subject, as the emulator writes it. Subjects of OpenID Connect and SAML
  /// may be addresses and are returned unchanged.
  static func subject(_ text: String, of provider: String) -> String? {
    guard text.contains("://"), !["oidc.", "saml."].contains(where: provider.hasPrefix) else {
      return text
    }
    guard let (host, subject) = parts(of: text), isHost(host, of: provider) else { return nil }
    return subject
  }

  /// Returns the provider that an address identifies; nil if it is unknown.
  static func provider(of text: String) -> String? {
    guard let (host, _) = parts(of: text) else { return nil }
    return vendors.first { isHost(host, of: $0) }
  }

  private static func isHost(_ host: String, of provider: String) -> Bool {
    ([provider] + (furtherDomains[provider] ?? [])).contains { domain in
      host == domain || host.hasSuffix(".\(domain)")
    }
  }

  private static func parts(of text: String) -> (host: String, subject: String)? {
    guard let match = text.wholeMatch(of: /https?:\/\/([A-Za-z0-9.-]+)\/([^\/?#\s]+)\/?/),
      let subject = String(match.2).removingPercentEncoding
    else { return nil }
    return (match.1.lowercased(), subject)
  }
}
