import AuthValues
import Foundation
import IdentityToolkit

extension Auth {
  /// The purpose for which a credential is used.
  enum Purpose: Sendable {
    case signIn
    /// Links the credential to the account of an ID token.
    case link(User, idToken: String)
    /// Proves the account again, without a new session.
    case reauthenticate(User)
    /// Replaces the account's phone number.
    case updatePhone(User, idToken: String)

    var idToken: String? {
      switch self {
      case .link(_, let token), .updatePhone(_, let token): token
      case .signIn, .reauthenticate: nil
      }
    }

    /// Runs work that may bring new tokens of the user whose account is changed or proved, in that user's turn.
    func inTurn<Value: Sendable>(
      _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
      switch self {
      case .signIn: try await work()
      case .link(let user, _), .updatePhone(let user, _), .reauthenticate(let user):
        try await user.inTurn(work)
      }
    }

    var phoneOperation: JSONValue {
      switch self {
      case .signIn: "SIGN_UP_OR_IN"
      case .link: "LINK"
      case .reauthenticate: "REAUTH"
      case .updatePhone: "UPDATE"
      }
    }
  }

  /// Sends a credential for a purpose and reads the answer.
  func authenticate(_ credential: AuthCredential, for purpose: Purpose) async throws -> SignInAnswer
  {
    switch credential.content {
    case .password(let email, let password):
      try await sendPassword(email, password, for: purpose)
    case .emailLink(let email, let link): try await sendLink(email, link, for: purpose)
    case .phoneCode(let verificationID, let code):
      try await sendCode(code, verificationID, for: purpose)
    case .phoneProof(let number, let proof):
      try await sendPhone(
        ["phoneNumber": .string(number), "temporaryProof": .string(proof)], for: purpose)
    case .federated(let values) where credential.provider == GameCenterAuthProvider.id:
      try await sendPlayer(values, for: purpose)
    case .federated(let values):
      try await sendFederated(credential.provider, values, for: purpose)
    }
  }

  private func sendPassword(
    _ email: String, _ password: String, for purpose: Purpose
  ) async throws -> SignInAnswer {
    var members: [String: JSONValue] = [
      "email": .string(email), "password": .string(password), "returnSecureToken": true,
    ]
    if let token = purpose.idToken {
      guard !password.isEmpty else { throw NSError.missingPassword }
      members["idToken"] = .string(token)
      return try SignInAnswer(try await call(.signUp, members, for: purpose), now: now())
    }
    guard !password.isEmpty else { throw NSError.auth(.wrongPassword) }
    let fields = try await call(.signInWithPassword, members, for: purpose)
    return try SignInAnswer(
      fields, additional: AdditionalUserInfo(providerID: "password", isNewUser: false), now: now())
  }

  private func sendLink(
    _ email: String, _ link: String, for purpose: Purpose
  ) async throws -> SignInAnswer {
    var members: [String: JSONValue] = [
      "email": .string(email), "oobCode": .string(try EmailAuthProvider.signInCode(of: link)),
    ]
    members["idToken"] = purpose.idToken.map(JSONValue.string)
    let fields = try await call(.signInWithEmailLink, members, for: purpose)
    let additional =
      purpose.idToken == nil
      ? AdditionalUserInfo(providerID: "password", isNewUser: fields.flag("isNewUser")) : nil
    return try SignInAnswer(fields, additional: additional, now: now())
  }

  private func sendCode(
    _ code: String, _ verificationID: String, for purpose: Purpose
  ) async throws -> SignInAnswer {
    guard !verificationID.isEmpty else { throw NSError.auth(.missingVerificationID) }
    guard !code.isEmpty else { throw NSError.auth(.missingVerificationCode) }
    return try await sendPhone(
      ["sessionInfo": .string(verificationID), "code": .string(code)], for: purpose)
  }

  private func sendPhone(
    _ proof: [String: JSONValue], for purpose: Purpose
  ) async throws -> SignInAnswer {
    var members = proof
    members["operation"] = purpose.phoneOperation
    members["idToken"] = purpose.idToken.map(JSONValue.string)
    let fields = try await call(.signInWithPhoneNumber, members, for: purpose)
    if let proof = fields.string("temporaryProof"), fields.string("idToken") == nil {
      throw NSError.auth(
        .credentialAlreadyInUse,
        updatedCredential: PhoneAuthCredential(
          phoneNumber: fields.string("phoneNumber") ?? "", temporaryProof: proof))
    }
    let additional =
      purpose.idToken == nil
      ? AdditionalUserInfo(providerID: "phone", isNewUser: fields.flag("isNewUser")) : nil
    return try SignInAnswer(fields, additional: additional, now: now())
  }

  private func sendFederated(
    _ provider: String, _ values: FederatedValues, for purpose: Purpose
  ) async throws -> SignInAnswer {
    var members = values.requestMembers(provider: provider)
    members["returnSecureToken"] = true
    members["returnIdpCredential"] = true
    var isReauthentication = false
    if case .reauthenticate = purpose { isReauthentication = true }
    members["autoCreate"] = .bool(!isReauthentication)
    members["idToken"] = purpose.idToken.map(JSONValue.string)
    let fields = try await call(.signInWithIdp, members, for: purpose)
    let provider = fields.string("providerId") ?? provider
    let returned = OAuthCredential(provider: provider, answer: fields)
    if let message = fields.string("errorMessage") {
      let refusal = NSError.refusal(message: message, status: 400)
      guard let code = AuthErrorCode(refusal), code == .credentialAlreadyInUse else {
        throw refusal
      }
      throw NSError.auth(code, email: fields.string("email"), updatedCredential: returned)
    }
    if fields.flag("needConfirmation") {
      throw NSError.auth(
        .accountExistsWithDifferentCredential, email: fields.string("email"),
        updatedCredential: returned)
    }
    return try SignInAnswer(
      fields, additional: AdditionalUserInfo(fields, providerID: provider), credential: returned,
      now: now())
  }

  /// Sends the signature of a Game Center player, which has an operation of its own.
  private func sendPlayer(
    _ values: FederatedValues, for purpose: Purpose
  ) async throws -> SignInAnswer {
    var members = GameCenterAuthProvider.requestMembers(values)
    members["idToken"] = purpose.idToken.map(JSONValue.string)
    let fields = try await call(.signInWithGameCenter, members, for: purpose)
    let additional =
      purpose.idToken == nil
      ? AdditionalUserInfo(
        providerID: GameCenterAuthProvider.id, isNewUser: fields.flag("isNewUser")) : nil
    return try SignInAnswer(fields, additional: additional, now: now())
  }

  /// Completes the purpose of a credential with the server's answer.
  func carryOut(_ purpose: Purpose, with answer: SignInAnswer) async throws -> AuthDataResult {
    switch purpose {
    case .signIn: try await finish(answer)
    case .link(let user, _), .updatePhone(let user, _): try await user.take(answer)
    case .reauthenticate(let user): try await user.reauthenticated(answer)
    }
  }

  /// Calls an operation that may require a second factor; throws `secondFactorRequired` then.
  func call(
    _ operation: Operation, _ members: [String: JSONValue], for purpose: Purpose = .signIn
  ) async throws -> WireFields {
    let fields = try await toolkit.call(operation, members)
    if let pending = fields.string("mfaPendingCredential"), fields.string("idToken") == nil {
      let hints = fields.items("mfaInfo").compactMap(StoredFactor.init).map(\.info)
      throw NSError.auth(
        .secondFactorRequired,
        resolver: MultiFactorResolver(
          pendingCredential: pending, hints: hints, auth: self, purpose: purpose))
    }
    let saysWhy = ["errorMessage", "temporaryProof", "needConfirmation"].contains(where: fields.has)
    if purpose.idToken != nil, !saysWhy {
      // The error does not concern the linking session, which stays.
      for token in ["idToken", "refreshToken"] where fields.string(token) == nil {
        throw NSError.answer(without: token)
      }
    }
    return fields
  }
}
