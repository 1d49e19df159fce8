public import AuthCore

/// One promise that every provider keeps, and that needs no network to check.
///
/// No check offers a genuine credential, so a provider is checked without an account at its vendor.
public struct ProviderCheck: Sendable, CustomStringConvertible {
  /// The promise as a sentence.
  public let description: String
  /// Throws ``CheckFailure`` or the provider's error if the promise is broken.
  public let run: @Sendable (any AuthProvider) async throws -> Void

  /// Makes a check from a sentence and its test.
  public init(
    _ description: String, run: @escaping @Sendable (any AuthProvider) async throws -> Void
  ) {
    self.description = description
    self.run = run
  }

  /// Every promise of a provider.
  public static let all = manifests + credentials + verifying
}

extension ProviderCheck {
  static let manifests = [
    ProviderCheck("its ID is one word of ASCII letters, digits, dots, dashes and underscores") {
      provider in
      let id = provider.id.rawValue
      try expect(!id.isEmpty && id.utf8.count <= 128, "The ID has \(id.utf8.count) bytes.")
      let allowed = id.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII
          && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || ".-_".unicodeScalars.contains(scalar))
      }
      try expect(allowed, "The ID \(String(reflecting: id)) has other characters.")
    },
    ProviderCheck("it has a name that a person can read") { provider in
      try expect(!provider.manifest.name.isEmpty, "The name is empty.")
    },
    ProviderCheck("its manifest says the same every time") { provider in
      let manifests = [provider.manifest, provider.manifest]
      try expect(manifests[0].name, is: manifests[1].name, "The second name")
      try expect(manifests[0].builders, is: manifests[1].builders, "The second list of builders")
      try expect(manifests[0].hosts, is: manifests[1].hosts, "The second list of hosts")
    },
    ProviderCheck("it has a builder, and builders and fields have names of their own") { provider in
      let builders = provider.manifest.builders
      try expect(!builders.isEmpty, "There is no builder, so no credential can be made.")
      try expectDistinct(builders.map(\.name), "builders")
      for builder in builders {
        try expectDistinct(builder.fields.map(\.name), "fields of \(builder.name)")
      }
    },
    ProviderCheck("every field says what it is for") { provider in
      for builder in provider.manifest.builders {
        for field in builder.fields {
          try expect(!field.summary.isEmpty, "The field \(field.name) has no summary.")
        }
      }
    },
    ProviderCheck("hosts are host names, without scheme, path or wildcard") { provider in
      for host in provider.manifest.hosts {
        let isBare = !host.isEmpty && !host.contains(where: { "/:@?#* ".contains($0) })
        try expect(isBare, "\(String(reflecting: host)) is no host name.")
      }
    },
    ProviderCheck("issuers are not empty") { provider in
      try expect(!provider.manifest.issuers.contains(""), "An issuer is empty.")
    },
  ]

  private static func expectDistinct(_ names: [String], _ what: String) throws {
    try expect(!names.contains(""), "One of the \(what) has an empty name.")
    try expect(Set(names).count == names.count, "Two \(what) have one name: \(names).")
  }
}
