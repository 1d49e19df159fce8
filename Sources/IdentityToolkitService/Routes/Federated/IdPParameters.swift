import AuthCore
import Foundation
import IdentityToolkit

/// The parameters of a provider's answer, as an app passes them on.
///
/// They are read from the query of `requestUri`, from `postBody` and from the fragment of `requestUri`. Later ones
/// replace earlier ones.
struct IdPParameters: Sendable {
  /// The provider that the answer names; nil beside a pending token, which stands for one.
  let named: ProviderID?
  /// The address without its query and fragment.
  let place: String
  private(set) var values: [String: String]

  /// Reads the parameters of a body.
  ///
  /// Throws `MISSING_REQUEST_URI`, `INVALID_REQUEST_URI`, or `INVALID_CREDENTIAL_OR_PROVIDER_ID` if no provider is
  /// named.
  init(_ body: WireFields, _ behavior: any FederationBehavior) throws(WireError) {
    guard let requestURI = try body.filled("requestUri") else {
      throw WireError("MISSING_REQUEST_URI")
    }
    guard let address = AbsoluteAddress(requestURI) else { throw WireError("INVALID_REQUEST_URI") }
    var merged = OrderedParameters()
    merged.add(try FormText.pairs(address.query, of: "The query of requestUri"))
    merged.add(try FormText.pairs(try body.text("postBody") ?? "", of: "postBody"))
    merged.add(try FormText.pairs(address.fragment, of: "The fragment of requestUri"))
    place = address.place
    values = merged.values
    let provider = values["providerId"]?.lowercased() ?? ""
    if provider.isEmpty, behavior.takesPendingTokens, try body.filled("pendingToken") != nil {
      named = nil
      return
    }
    guard !provider.isEmpty else {
      let shown = behavior.repeated(merged.address(at: place), without: place)
      throw WireError(
        "INVALID_CREDENTIAL_OR_PROVIDER_ID", "Invalid IdP response/credential: \(shown)")
    }
    named = ProviderID(provider)
  }

  /// The provider that the answer names; the empty ID, which no provider has, if it names none.
  var provider: ProviderID { named ?? ProviderID("") }

  /// The same parameters with one less.
  func without(_ name: String) -> IdPParameters {
    var fewer = self
    fewer.values[name] = nil
    return fewer
  }

  /// Returns a parameter, or nil if it is empty.
  subscript(name: String) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// Parameters in the order in which their names first appeared.
private struct OrderedParameters {
  private(set) var values: [String: String] = [:]
  private var names: [String] = []

  mutating func add(_ pairs: [(name: String, value: String)]) {
    for (name, value) in pairs {
      if values.updateValue(value, forKey: name) == nil { names.append(name) }
    }
  }

  func address(at place: String) -> String {
    guard !names.isEmpty else { return place }
    return URLText.adding(names.map { (name: $0, value: values[$0] ?? "") }, to: place)
  }
}

/// An absolute URL, split into its parts.
struct AbsoluteAddress: Sendable, Hashable {
  let scheme: String
  let host: String?
  /// The URL without query and fragment.
  let place: String
  let query: String
  let fragment: String

  /// Reads a URL.
  ///
  /// Returns nil for a text without a scheme, or with nothing after it.
  init?(_ text: String) {
    let (whole, fragment) = text.cut(at: UInt8(ascii: "#"))
    let (place, query) = whole.cut(at: UInt8(ascii: "?"))
    guard let components = URLComponents(string: String(place)),
      let scheme = components.scheme, !scheme.isEmpty,
      components.host?.isEmpty == false || (!components.path.isEmpty && !text.contains("://"))
    else { return nil }
    self.scheme = scheme.lowercased()
    host = components.host?.lowercased()
    self.place = components.host != nil && components.path.isEmpty ? place + "/" : String(place)
    self.query = String(query)
    self.fragment = String(fragment)
  }
}

extension StringProtocol {
  /// Splits the text at the first `sign`, an ASCII character; without one, nothing comes after.
  fileprivate func cut(at sign: UInt8) -> (before: SubSequence, behind: SubSequence) {
    guard let place = utf8.firstIndex(of: sign) else { return (self[...], self[endIndex...]) }
    return (self[..<place], self[utf8.index(after: place)...])
  }
}
