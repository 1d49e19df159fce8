#if canImport(ObjectiveC)
  public import Foundation

  /// A code's purpose by its Objective-C names.
  @available(swift, obsoleted: 1)
  extension ActionCodeInfo {
    @objc(operation) public var objectiveCOperation: ActionCodeOperation { operation }
    @objc(email) public var objectiveCEmail: String { email }
    @objc(previousEmail) public var objectiveCPreviousEmail: String? { previousEmail }
  }

  /// A link's parts by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension ActionCodeURL {
    @objc(actionCodeURLWithLink:)
    public static func objectiveCActionCodeURL(link: String) -> ActionCodeURL? {
      ActionCodeURL(link: link)
    }

    @objc(APIKey) public var objectiveCAPIKey: String? { apiKey }
    @objc(operation) public var objectiveCOperation: ActionCodeOperation { operation }
    @objc(code) public var objectiveCCode: String? { code }
    @objc(continueURL) public var objectiveCContinueURL: URL? { continueURL }
    @objc(languageCode) public var objectiveCLanguageCode: String? { languageCode }
  }

  /// A link's settings by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension ActionCodeSettings {
    @objc(URL) public var objectiveCURL: URL? {
      get { url }
      set { url = newValue }
    }

    @objc(handleCodeInApp) public var objectiveCHandleCodeInApp: Bool {
      get { handleCodeInApp }
      set { handleCodeInApp = newValue }
    }

    @objc(iOSBundleID) public var objectiveCIOSBundleID: String? {
      get { iOSBundleID }
      set { iOSBundleID = newValue }
    }

    @objc(androidPackageName)
    public var objectiveCAndroidPackageName: String? { androidPackageName }

    @objc(androidMinimumVersion)
    public var objectiveCAndroidMinimumVersion: String? { androidMinimumVersion }

    @objc(androidInstallIfNotAvailable) public var objectiveCAndroidInstallIfNotAvailable: Bool {
      get { androidInstallIfNotAvailable }
      set { androidInstallIfNotAvailable = newValue }
    }

    @objc(linkDomain) public var objectiveCLinkDomain: String? {
      get { linkDomain }
      set { linkDomain = newValue }
    }

    @objc(setAndroidPackageName:installIfNotAvailable:minimumVersion:)
    public func objectiveCSetAndroidPackageName(
      _ androidPackageName: String, installIfNotAvailable: Bool, minimumVersion: String?
    ) {
      setAndroidPackageName(
        androidPackageName, installIfNotAvailable: installIfNotAvailable,
        minimumVersion: minimumVersion)
    }
  }
#endif
