#if canImport(ObjectiveC)
  public import Foundation

  /// The client's instances and settings by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension Auth {
    @objc(auth)
    public static func objectiveCAuth() -> Auth {
      auth()
    }

    @objc(authWithApp:)
    public static func objectiveCAuth(app: FirebaseApp) -> Auth {
      auth(app: app)
    }

    @objc(authStateDidChangeNotification)
    public static var objectiveCAuthStateDidChangeNotification: NSNotification.Name {
      authStateDidChangeNotification
    }
    @objc(app) public var objectiveCApp: FirebaseApp? { app }
    @objc(currentUser) public var objectiveCCurrentUser: User? { currentUser }

    @objc(storedSessionError)
    public var objectiveCStoredSessionError: (any Error)? { storedSessionError }
    @objc(userAccessGroup) public var objectiveCUserAccessGroup: String? { userAccessGroup }

    @objc(shareAuthStateAcrossDevices) public var objectiveCShareAuthStateAcrossDevices: Bool {
      get { shareAuthStateAcrossDevices }
      set { shareAuthStateAcrossDevices = newValue }
    }

    @objc(languageCode) public var objectiveCLanguageCode: String? {
      get { languageCode }
      set { languageCode = newValue }
    }

    @objc(settings) public var objectiveCSettings: AuthSettings? {
      get { settings }
      set { settings = newValue }
    }

    @objc(tenantID) public var objectiveCTenantID: String? {
      get { tenantID }
      set { tenantID = newValue }
    }

    @objc(customAuthDomain) public var objectiveCCustomAuthDomain: String? {
      get { customAuthDomain }
      set { customAuthDomain = newValue }
    }

    @objc(useAppLanguage)
    public func objectiveCUseAppLanguage() {
      useAppLanguage()
    }

    @objc(useEmulatorWithHost:port:)
    public func objectiveCUseEmulator(withHost host: String, port: Int) {
      useEmulator(withHost: host, port: port)
    }

    @objc(useUserAccessGroup:error:)
    public func objectiveCUseUserAccessGroup(_ accessGroup: String?) throws {
      try useUserAccessGroup(accessGroup)
    }

    /// No user is no error, so the error has a place of its own.
    @objc(getStoredUserForAccessGroup:error:)
    public func objectiveCGetStoredUser(
      forAccessGroup accessGroup: String?, error place: NSErrorPointer
    ) -> User? {
      do {
        return try getStoredUser(forAccessGroup: accessGroup)
      } catch {
        place?.pointee = error as NSError
        return nil
      }
    }
  }

  /// The proofs of an app by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension Auth {
    @objc(canHandleURL:)
    public func objectiveCCanHandle(_ url: URL) -> Bool {
      canHandle(url)
    }

    @objc(canHandleNotification:)
    public func objectiveCCanHandleNotification(_ userInfo: [AnyHashable: Any]) -> Bool {
      canHandleNotification(userInfo)
    }

    @objc(APNSToken) public var objectiveCAPNSToken: Data? {
      get { apnsToken }
      set { apnsToken = newValue }
    }

    @objc(setAPNSToken:type:)
    public func objectiveCSetAPNSToken(_ token: Data, type: AuthAPNSTokenType) {
      setAPNSToken(token, type: type)
    }

    @objc(initializeRecaptchaConfigWithCompletion:)
    public func objectiveCInitializeRecaptchaConfig(completion: (((any Error)?) -> Void)?) {
      initializeRecaptchaConfig(completion: completion)
    }
  }

  /// The settings by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension AuthSettings {
    @objc(isAppVerificationDisabledForTesting)
    public var objectiveCIsAppVerificationDisabledForTesting: Bool {
      get { isAppVerificationDisabledForTesting }
      set { isAppVerificationDisabledForTesting = newValue }
    }

    @objc(appVerificationDisabledForTesting)
    public var objectiveCAppVerificationDisabledForTesting: Bool {
      get { appVerificationDisabledForTesting }
      set { appVerificationDisabledForTesting = newValue }
    }
  }
#endif
