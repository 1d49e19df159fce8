import AuthCore

/// The settings of OpenID Connect providers, completed by what the discovery document offers.
extension ProviderSettings {
  /// The algorithms of ID tokens.
  func signingAlgorithms(offered: [SigningAlgorithm]) throws(AuthError) -> [SigningAlgorithm] {
    let configured = try list("algorithms").map { name throws(AuthError) in
      guard let algorithm = SigningAlgorithm(rawValue: name) else {
        let all = SigningAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
        throw AuthError(
          .operationNotAllowed, "There is no signing algorithm of that name for ID tokens.",
          field: "algorithms", remedy: "Name some of: \(all).", step: .credential)
      }
      return algorithm
    }
    if !configured.isEmpty { return configured }
    // Algorithms without a key pair, such as HS256 or none, are not a SigningAlgorithm and are dropped.
    return offered.isEmpty ? [.rs256, .es256] : offered
  }

  /// The client's authentication with its secret.
  func clientAuthentication(offered: [String]) throws -> ClientAuthentication {
    guard let name = text("clientAuthentication") else {
      return ClientAuthenticationMethod(offered: offered).with(try secret("clientSecret"))
    }
    guard let method = ClientAuthenticationMethod(rawValue: name) else {
      throw AuthError(
        .operationNotAllowed, "There is no client authentication of that name.",
        field: "clientAuthentication", remedy: "Write none, basic or post.", step: .credential)
    }
    return method == .none ? .none : method.with(try requiredSecret("clientSecret"))
  }

  /// Checks settings that would fail only at a sign-in: the issuers' scheme, the algorithms and the authentication.
  func checkOpenID() throws {
    for issuer in [text("issuer")].compactMap(\.self) + list("otherIssuers") {
      let host = URLText.host(of: issuer) ?? ""
      let isPrivate = privateHosts.contains { host == $0 || host.hasPrefix("\($0):") }
      guard issuer.hasPrefix("https://") || (issuer.hasPrefix("http://") && isPrivate) else {
        throw AuthError(
          .invalidArgument, "The issuer \(issuer) is no https address.", field: "issuer",
          remedy: "Write https://…, or name its host in privateHosts.")
      }
    }
    if let type = text("subjectType"), !["public", "pairwise"].contains(type) {
      throw AuthError(
        .invalidArgument, "There is no subject type \(type).", field: "subjectType",
        remedy: "Write public or pairwise, as the issuer's discovery document says.")
    }
    _ = try signingAlgorithms(offered: [])
    _ = try clientAuthentication(offered: [])
  }
}
