#if canImport(ObjectiveC)
  public import Foundation

  /// An app's settings by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension FirebaseOptions {
    @objc(initWithGoogleAppID:GCMSenderID:)
    public convenience init(objectiveCGoogleAppID googleAppID: String, gcmSenderID: String) {
      self.init(googleAppID: googleAppID, gcmSenderID: gcmSenderID)
    }

    @objc(initWithContentsOfFile:)
    public convenience init?(objectiveCContentsOfFile path: String) {
      self.init(contentsOfFile: path)
    }

    @objc(defaultOptions)
    public static func objectiveCDefaultOptions() -> FirebaseOptions? {
      defaultOptions()
    }

    @objc(googleAppID) public var objectiveCGoogleAppID: String {
      get { googleAppID }
      set { googleAppID = newValue }
    }

    @objc(GCMSenderID) public var objectiveCGCMSenderID: String {
      get { gcmSenderID }
      set { gcmSenderID = newValue }
    }

    @objc(APIKey) public var objectiveCAPIKey: String? {
      get { apiKey }
      set { apiKey = newValue }
    }

    @objc(projectID) public var objectiveCProjectID: String? {
      get { projectID }
      set { projectID = newValue }
    }

    @objc(bundleID) public var objectiveCBundleID: String {
      get { bundleID }
      set { bundleID = newValue }
    }

    @objc(authServerURL) public var objectiveCAuthServerURL: URL? {
      get { authServerURL }
      set { authServerURL = newValue }
    }

    @objc(clientID) public var objectiveCClientID: String? {
      get { clientID }
      set { clientID = newValue }
    }

    @objc(databaseURL) public var objectiveCDatabaseURL: String? {
      get { databaseURL }
      set { databaseURL = newValue }
    }

    @objc(storageBucket) public var objectiveCStorageBucket: String? {
      get { storageBucket }
      set { storageBucket = newValue }
    }

    @objc(appGroupID) public var objectiveCAppGroupID: String? {
      get { appGroupID }
      set { appGroupID = newValue }
    }
  }
#endif
