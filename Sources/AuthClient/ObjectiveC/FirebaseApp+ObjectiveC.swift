#if canImport(ObjectiveC)
  public import Foundation

  /// Apps by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension FirebaseApp {
    @objc(defaultName) public static var objectiveCDefaultName: String { defaultName }
    @objc(name) public var objectiveCName: String { name }
    @objc(options) public var objectiveCOptions: FirebaseOptions { options }

    @objc(configure)
    public static func objectiveCConfigure() {
      configure()
    }

    @objc(configureWithOptions:)
    public static func objectiveCConfigure(options: FirebaseOptions) {
      configure(options: options)
    }

    @objc(configureWithName:options:)
    public static func objectiveCConfigure(name: String, options: FirebaseOptions) {
      configure(name: name, options: options)
    }

    @objc(app)
    public static func objectiveCApp() -> FirebaseApp? {
      app()
    }

    @objc(appWithName:)
    public static func objectiveCApp(name: String) -> FirebaseApp? {
      app(name: name)
    }

    @objc(deleteWithCompletionHandler:)
    public func objectiveCDelete() async -> Bool {
      await delete()
    }
  }

  /// An app's settings by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension FirebaseOptions {
    @objc(initWithGoogleAppID:gcmSenderID:)
    public convenience init(objectiveCGoogleAppID googleAppID: String, gcmSenderID: String) {
      self.init(googleAppID: googleAppID, gcmSenderID: gcmSenderID)
    }

    @objc(initWithContentsOfFile:)
    public convenience init?(objectiveCContentsOfFile path: String) {
      self.init(contentsOfFile: path)
    }

    @objc(googleAppID) public var objectiveCGoogleAppID: String { googleAppID }
    @objc(gcmSenderID) public var objectiveCGcmSenderID: String { gcmSenderID }

    @objc(apiKey) public var objectiveCAPIKey: String? {
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
  }
#endif
