import AuthCore

extension CodeExample {
  /// Values that no account can have.
  static let values: [CodeExample] = [
    CodeExample(.invalidEmail) { _ in try EmailAddress("ada.example.com") },
    CodeExample(.invalidPhoneNumber) { _ in try PhoneNumber("555-0123") },
    CodeExample(.invalidUID) { try await $0.make("") },
    CodeExample(.uidAlreadyExists) { home in
      try await home.person()
      try await home.make("ada")
    },
    CodeExample(.phoneNumberAlreadyExists) { home in
      try await home.make("ada") { $0.phoneNumber = .set(try PhoneNumber("+15555550123")) }
      try await home.make("bob") { $0.phoneNumber = .set(try PhoneNumber("+15555550123")) }
    },
    CodeExample(.invalidDisplayName) { home in
      try await home.make("ada") { $0.displayName = .set(String(repeating: "a", count: 257)) }
    },
    CodeExample(.invalidPhotoURL) { home in
      try await home.make("ada") { $0.photoURL = .set("javascript:ada()") }
    },
    CodeExample(.claimsTooLarge) { _ in
      try CustomClaims(["role": .string(String(repeating: "a", count: 1000))])
    },
    CodeExample(.invalidClaims) { _ in try CustomClaims(text: "[\"editor\"]") },
    CodeExample(.reservedClaims) { _ in try CustomClaims(["sub": "ada"]) },
    CodeExample(.weakPassword) { home in
      try await home.graph.signUp(home.password("ada@example.com", "short"), by: home.anyone)
    },
    CodeExample(.passwordDoesNotMeetRequirements) { home in
      try await home.settings {
        $0.signIn.passwordPolicy.enforcement = .enforce
        $0.signIn.passwordPolicy.needsDigit = true
      }
      return try await home.graph.signUp(home.password(), by: home.anyone)
    },
    CodeExample(.invalidArgument) { home in
      try await home.person()
      try await home.link("", to: AccountID("ada"))
    },
  ]
}
