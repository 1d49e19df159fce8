import AuthCore
import Foundation

/// Reads `federatedId`, in which Firebase's servers write the vendor's address with the subject behind it, such as
/// `https://accounts.google.com/1234567890`.
enum FederatedID {
  /// Further domains of vendors whose address is not their provider ID.
  private static let furtherDomains = [
    "microsoft.com": ["login.live.com", "login.microsoftonline.com"], "twitter.com": ["x.com"],
  ]

  private static let vendors = [
    "google.com", "facebook.com", "twitter.com", "github.com", "apple.com", "microsoft.com",
    "linkedin.com", "yahoo.com",
  ]

  /// The subject of a provider's entry; nil for an address that is not the provider's, or has more in it than a subject.
  ///
  /// What is no address is the subject itself, as the emulator writes it. A subject of OpenID Connect or SAML may be an
  /// address, and is left as it is.
  static func subject(_ text: String, of provider: String) -> String? {
    guard text.contains("://"), !["oidc.", "saml."].contains(where: provider.hasPrefix) else {
      return text
    }
    guard let (host, subject) = parts(of: text), isHost(host, of: provider) else { return nil }
    return subject
  }

  /// The provider that an address alone tells; nil for none that is known.
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
