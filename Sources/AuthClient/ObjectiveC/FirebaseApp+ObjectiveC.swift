#if canImport(ObjectiveC)
  import Foundation

  /// Apps by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension FirebaseApp {
    @objc(allApps) public static var objectiveCAllApps: [String: FirebaseApp]? { allApps }
    @objc(name) public var objectiveCName: String { name }
    @objc(options) public var objectiveCOptions: FirebaseOptions { options }

    @objc(isDataCollectionDefaultEnabled)
    public var objectiveCIsDataCollectionDefaultEnabled: Bool { isDataCollectionDefaultEnabled }

    @objc(setDataCollectionDefaultEnabled:)
    public func objectiveCSetDataCollectionDefaultEnabled(_ isEnabled: Bool) {
      isDataCollectionDefaultEnabled = isEnabled
    }

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

    @objc(defaultApp)
    public static func objectiveCDefaultApp() -> FirebaseApp? {
      app()
    }

    @objc(appNamed:)
    public static func objectiveCApp(named name: String) -> FirebaseApp? {
      app(name: name)
    }

    @objc(deleteApp:)
    public func objectiveCDelete(_ completion: @escaping (Bool) -> Void) {
      delete(completion)
    }
  }

  /// Settings of all apps by their Objective-C names.
  @available(swift, obsoleted: 1)
  extension FirebaseConfiguration {
    @objc(sharedInstance) public static var objectiveCShared: FirebaseConfiguration { shared }

    @objc(setLoggerLevel:)
    public func objectiveCSetLoggerLevel(_ loggerLevel: FirebaseLoggerLevel) {
      setLoggerLevel(loggerLevel)
    }
  }
#endif
