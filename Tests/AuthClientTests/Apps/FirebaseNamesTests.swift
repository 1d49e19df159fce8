import AuthClient
import Foundation
import Testing

/// Names of Firebase's SDK that an app uses outside of its sign-in, with what they do here.
@Suite struct FirebaseNamesTests {
  private let auth = Auth.preview()

  @Test func `an app's delegate asks for proofs that nobody needs`() async throws {
    let token = Data([1, 2])
    let url = try #require(URL(string: "com.example.app://firebaseauth/link?x=1"))
    #expect(!auth.canHandle(url))
    #expect(!auth.canHandleNotification(["com.google.firebase.auth": ["receipt": "x"]]))
    #expect(auth.apnsToken == nil)
    auth.setAPNSToken(token, type: .prod)
    #expect(auth.apnsToken == token)
    auth.apnsToken = nil
    #expect(auth.apnsToken == nil)
    #expect(AuthAPNSTokenType.allRawValues == [0, 1, 2])

    try await auth.initializeRecaptchaConfig()
    let error = await withCheckedContinuation { waiter in
      auth.initializeRecaptchaConfig { waiter.resume(returning: $0) }
    }
    #expect(error == nil)
  }

  @Test func `options keep the settings of other services`() {
    let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
    options.clientID = "client"
    options.databaseURL = "https://data.example.com"
    options.storageBucket = "bucket"
    options.appGroupID = "group"
    options.googleAppID = "1:2:ios:2"
    options.gcmSenderID = "2"

    #expect(options.clientID == "client" && options.databaseURL == "https://data.example.com")
    #expect(options.storageBucket == "bucket" && options.appGroupID == "group")
    #expect(options.googleAppID == "1:2:ios:2" && options.gcmSenderID == "2")
  }

  @Test func `a property list gives the app and the other services`() throws {
    let keys = [
      "API_KEY": "key", "GOOGLE_APP_ID": "1:1:ios:1", "GCM_SENDER_ID": "1", "PROJECT_ID": "shop",
      "BUNDLE_ID": "com.example.shop", "CLIENT_ID": "client", "STORAGE_BUCKET": "bucket",
      "AUTH_SERVER_URL": "https://auth.example.com",
    ]
    let file = URL.temporaryDirectory.appending(path: "\(UUID().uuidString).plist")
    defer { try? FileManager.default.removeItem(at: file) }
    try PropertyListSerialization.data(fromPropertyList: keys, format: .xml, options: 0)
      .write(to: file)
    let options = try #require(FirebaseOptions(contentsOfFile: file.path))

    #expect(options.apiKey == "key" && options.projectID == "shop")
    #expect(options.bundleID == "com.example.shop" && options.clientID == "client")
    #expect(options.storageBucket == "bucket" && options.databaseURL == nil)
    #expect(options.authServerURL?.host() == "auth.example.com")
  }

  @Test func `apps are listed until they are removed`() async throws {
    let name = "app-\(UUID().uuidString)"
    let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
    FirebaseApp.configure(name: name, options: options)
    let app = try #require(FirebaseApp.allApps?[name])
    #expect(app === FirebaseApp.app(name: name))
    app.isDataCollectionDefaultEnabled = false
    #expect(!app.isDataCollectionDefaultEnabled)
    FirebaseConfiguration.shared.setLoggerLevel(.min)

    let first = await withCheckedContinuation { waiter in
      app.delete { waiter.resume(returning: $0) }
    }
    let second = await app.delete()
    #expect(first && !second)
    #expect(FirebaseApp.allApps?[name] == nil)
  }

  @Test func `older spellings mean the same`() throws {
    let error: any Error = AuthErrorCode.weakPassword
    #expect(AuthErrorCode.Code(rawValue: (error as NSError).code)?.code == .weakPassword)
    #expect(AuthErrorCode(_nsError: error as NSError).code == .weakPassword)
    let settings = ActionCodeSettings()
    settings.setIOSBundleID("com.example.shop")
    #expect(settings.iOSBundleID == "com.example.shop")
    #expect(EmailAuthProviderID == "password" && PhoneAuthProviderID == "phone")
    #expect(EmailLinkAuthSignInMethod == "emailLink" && TOTPMultiFactorID == "totp")

    let handle: AuthStateDidChangeListenerHandle = auth.addStateDidChangeListener { _, _ in }
    auth.removeStateDidChangeListener(handle)
  }

  @Test func `an empty new password has the reason that apps compare`() async throws {
    let auth = auth
    let errors = [
      await #expect(throws: (any Error).self) {
        try await auth.createUser(withEmail: "", password: "")
      },
      await #expect(throws: (any Error).self) {
        try await auth.confirmPasswordReset(withCode: "code", newPassword: "")
      },
    ]
    for error in errors {
      let error = try #require(error) as NSError
      #expect(AuthErrorCode(error) == .weakPassword)
      #expect(error.localizedFailureReason == "Missing Password")
    }
  }
}

extension AuthAPNSTokenType {
  fileprivate static var allRawValues: [Int] { [unknown, sandbox, prod].map(\.rawValue) }
}
