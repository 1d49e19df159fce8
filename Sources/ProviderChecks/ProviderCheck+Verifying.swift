import AuthCore

extension ProviderCheck {
  static let credentials = [
    ProviderCheck("a field that it does not know is named in the error") { provider in
      for builder in provider.manifest.builders {
        var input = sample(builder)
        input["noSuchField"] = "x"
        try expectRefusal(of: builder, provider, input, field: "noSuchField")
      }
    },
    ProviderCheck("a required field that is missing or empty is named in the error") { provider in
      for builder in provider.manifest.builders {
        for field in builder.fields where field.isRequired {
          var input = sample(builder)
          input[field.name] = nil
          try expectRefusal(of: builder, provider, input, field: field.name)
          input[field.name] = ""
          try expectRefusal(of: builder, provider, input, field: field.name)
        }
      }
    },
    ProviderCheck("a credential shows the names of its fields and no value") { provider in
      for builder in provider.manifest.builders {
        let fields = Dictionary(
          uniqueKeysWithValues: builder.fields.map { ($0.name, "value-of-\($0.name)") })
        let credential = Credential(
          provider: provider.id, builder: builder.name, fields: fields)
        var dumped = ""
        dump(credential, to: &dumped)
        for shown in [String(describing: credential), String(reflecting: credential), dumped] {
          try expect(!shown.contains("value-of-"), "A value is shown: \(shown)")
        }
      }
    },
  ]

  static let verifying = [
    ProviderCheck("an empty credential is refused, with the step at which it broke") { provider in
      guard refusesCredentials(provider) else { return }
      for builder in provider.manifest.builders {
        let empty = Credential(provider: provider.id, builder: builder.name, fields: [:])
        try await expectRefusal(by: provider, of: empty)
      }
    },
    ProviderCheck("a credential of a builder that does not exist is refused") { provider in
      guard refusesCredentials(provider) else { return }
      let unknown = Credential(
        provider: provider.id, builder: "no such builder", fields: ["noSuchField": "x"])
      try await expectRefusal(by: provider, of: unknown)
    },
    ProviderCheck("a credential whose fields are all empty is refused") { provider in
      guard refusesCredentials(provider) else { return }
      for builder in provider.manifest.builders {
        let fields = Dictionary(uniqueKeysWithValues: builder.fields.map { ($0.name, "") })
        let hollow = Credential(provider: provider.id, builder: builder.name, fields: fields)
        try await expectRefusal(by: provider, of: hollow)
      }
    },
    ProviderCheck("many may be refused at once") { provider in
      guard refusesCredentials(provider), let builder = provider.manifest.builders.first else {
        return
      }
      try await withThrowingTaskGroup { group in
        for _ in 0..<16 {
          group.addTask {
            let empty = Credential(provider: provider.id, builder: builder.name, fields: [:])
            try await expectRefusal(by: provider, of: empty)
          }
        }
        try await group.waitForAll()
      }
    },
  ]

  /// Tells whether a provider can refuse a credential: an anonymous sign-in proves nothing and is never refused.
  private static func refusesCredentials(_ provider: any AuthProvider) -> Bool {
    provider.manifest.kind != .anonymous
  }

  /// Well-formed input for a builder, which no vendor would accept.
  private static func sample(_ builder: CredentialBuilder) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: builder.fields.map { field in
        let value =
          switch field.type {
          case .string: "text"
          case .email: "person@example.com"
          case .phoneNumber: "+15555550123"
          case .url: "https://example.com/"
          }
        return (field.name, value)
      })
  }

  private static func expectRefusal(
    of builder: CredentialBuilder, _ provider: any AuthProvider, _ input: [String: String],
    field: String
  ) throws {
    do {
      _ = try builder.credential(for: provider.id, input)
    } catch {
      try expect(error.code, is: .invalidCredential, "The error's code")
      try expect(error.field, is: field, "The error's field")
      return
    }
    throw CheckFailure("The builder \(builder.name) took input with a wrong \(field).")
  }

  private static func expectRefusal(
    by provider: any AuthProvider, of credential: Credential
  ) async throws {
    for purpose in [VerificationContext.Purpose.signIn, .enroll] {
      let context = VerificationContext(
        scope: Scope(project: "check"), purpose: purpose,
        now: Timestamp(milliseconds: 1_750_000_000_123), storedSecret: { _ in nil })
      do {
        _ = try await provider.verify(credential, context)
      } catch let error as AuthError {
        try expect(error.step != nil, "The error does not say at which step it broke: \(error)")
        try expect(!error.message.isEmpty, "The error has no message.")
        continue
      } catch {
        throw CheckFailure("The error is not an AuthError: \(String(reflecting: error))")
      }
      throw CheckFailure("The \(credential) was taken for genuine.")
    }
  }
}
