import AuthCore
import AuthTesting
import SessionTokens

extension CodeExample {
  /// Signing in, signing up and linking.
  static let signIns: [CodeExample] = [
    CodeExample(.credentialAlreadyInUse) { home in
      try await home.link("1", to: try await home.person())
      let bob = try await home.person("bob")
      return try await home.graph.link(home.credential("1"), to: bob, by: home.session(bob))
    },
    CodeExample(.emailAlreadyInUse) { home in
      try await home.person()
      return try await home.graph.signUp(home.password(), by: home.anyone)
    },
    CodeExample(.providerAlreadyLinked) { home in
      let ada = try await home.person()
      try await home.link("1", to: ada)
      return try await home.graph.link(home.credential("2"), to: ada, by: home.session(ada))
    },
    CodeExample(.noSuchProvider) { home in
      try await home.graph.unlink(.google, from: try await home.person(), by: home.admin)
    },
    CodeExample(.lastSignInMethod) { home in
      try await home.graph.unlink(.password, from: try await home.person(), by: home.admin)
    },
    CodeExample(.accountExistsWithDifferentCredential) { home in
      try await home.person()
      try await home.signIn(home.credential("1", email: "ada@example.com"))
    },
    CodeExample(.ambiguous) { home in
      try await home.settings { $0.oneAccountPerEmail = false }
      for uid in ["ada", "bob"] {
        try await home.make(uid) { $0.email = .set(try EmailAddress("team@example.com")) }
      }
      return try await home.graph.account(matching: "team@example.com", in: home.scope)
    },
    CodeExample(.userDisabled) { home in
      _ = try await home.graph.setDisabled(true, try await home.person(), by: home.admin)
      try await home.signIn(home.password())
    },
    CodeExample(.userNotFound) { home in
      try await home.graph.delete(AccountID("ada"), by: home.admin)
    },
    CodeExample(.invalidCredential) { home in
      try await home.person()
      try await home.signIn(home.password("ada@example.com", "battery staple"))
    },
    CodeExample(.secondFactorRequired) { home in
      try await home.person(phones: ["+15555550123"])
      try await home.signIn(home.password())
    },
  ]

  /// Sessions and their tokens.
  static let sessions: [CodeExample] = [
    CodeExample(.requiresRecentLogin) { home in
      let ada = try await home.person()
      let session = home.session(ada)
      home.clock.advance(seconds: 3600)
      return try await home.graph.delete(ada, by: session)
    },
    CodeExample(.userTokenExpired) { home in
      let ada = try await home.person()
      let session = home.session(ada)
      home.clock.advance(seconds: 60)
      _ = try await home.graph.revokeSessions(of: ada, by: home.admin)
      return try await home.graph.delete(ada, by: session)
    },
    CodeExample(.invalidUserToken) { home in
      try await home.tokens.verify(idToken: "no token", project: home.scope.project)
    },
    CodeExample(.invalidRefreshToken) { home in
      try await home.tokens.session(ofRefreshToken: "no token", project: home.scope.project)
    },
    // The token service stores no session of this graph.
    CodeExample(.internalError) { home in
      try await home.person()
      let result = try await home.signIn(home.password())
      guard let grant = result.session else { return }
      _ = try await home.tokens.issue(grant, result.account)
    },
  ]
}
