import AuthCore
import LuaPlugins
import Testing
import TestSupport

/// The importers that ship: accounts keep their links and hashes, and both sign in.
@Suite struct `Importers of other systems` {
  private let home: ImporterHome

  init() throws { home = try ImporterHome() }

  private static let bcrypt = "$2b$04$abcdefghijklmnopqrstuuFuhxWRTXIsURoluSTZ1N4tYaWGn9oOi"

  @Test func `Auth0's users and its file of hashes`() async throws {
    let users = try home.folder.write(
      "users.ndjson",
      #"""
      {"user_id":"auth0|5f01","email":"ada@shop.test","email_verified":true,"name":"Ada","identities":[{"provider":"auth0","user_id":"5f01","connection":"db","isSocial":false},{"provider":"google-oauth2","user_id":"108200000000000000001","connection":"google-oauth2","isSocial":true,"profileData":{"email":"ada@mail.test","name":"Ada G."}}],"created_at":"2020-01-02T03:04:05.678Z","app_metadata":{"plan":"gold"}}
      {"user_id":"github|583231","email":"bob@shop.test","email_verified":false,"blocked":true}
      {"user_id":"auth0|5f03","email":"cy@shop.test","identities":[{"provider":"auth0","user_id":"5f03"},{"provider":"oidc","connection":"acme","user_id":"acme|77"}]}

      """#)
    let hashes = try home.folder.write(
      "hashes.ndjson",
      #"""
      {"_id":{"$oid":"5f01"},"email":"ada@shop.test","passwordHash":"\#(Self.bcrypt)"}
      {"_id":{"$oid":"ffff"},"passwordHash":"\#(Self.bcrypt)"}

      """#)

    let outcome = try await home.load(
      ImporterHome.importer("auth0"), users, beside: ["hashes": hashes],
      options: ["claims": "yes"], providers: ["oidc:acme": "-"])

    #expect(outcome.accounts == ["auth0|5f01", "github|583231", "auth0|5f03"])
    #expect(outcome.refused.isEmpty)
    #expect(
      outcome.leftOut == ["identities of oidc:acme": 1, "rows of hashes without a user": 1])
    let ada = try await home.account("auth0|5f01")
    #expect(ada.emailVerified && ada.displayName == "Ada")
    #expect(ada.createdAt == Timestamp(milliseconds: 1_577_934_245_678))
    #expect(ada.customClaims?.text == #"{"plan":"gold"}"#)
    #expect(try await home.enter("ada@shop.test", "opensesame") == "auth0|5f01")
    #expect(
      try await home.enter("google.com", subject: "108200000000000000001") == "auth0|5f01")
    let bob = try await home.account("github|583231")
    #expect(bob.disabled)
    #expect(bob.identities.map(\.key) == [IdentityKey(ProviderID("github.com"), subject: "583231")])
    #expect(try await home.account("auth0|5f03").passwordIdentity?.isElsewhere == true)
  }

  @Test func `Cognito's list of users`() async throws {
    let users = try home.folder.write(
      "users.json",
      #"""
      {"Users":[
      {"Username":"google_55","Attributes":[{"Name":"sub","Value":"s-1"},{"Name":"email","Value":"ada@shop.test"},{"Name":"email_verified","Value":"true"},{"Name":"identities","Value":"[{\"userId\":\"55\",\"providerName\":\"Google\",\"providerType\":\"Google\",\"issuer\":null,\"primary\":true,\"dateCreated\":1}]"}],"UserCreateDate":1600000000.123,"Enabled":true,"UserStatus":"EXTERNAL_PROVIDER"},
      {"Username":"bob","Attributes":[{"Name":"sub","Value":"s-2"},{"Name":"email","Value":"bob@shop.test"},{"Name":"email_verified","Value":"false"}],"UserCreateDate":"2020-09-13T12:26:40Z","Enabled":false,"UserStatus":"CONFIRMED"}
      ],"PaginationToken":"x"}

      """#)

    let outcome = try await home.load(ImporterHome.importer("cognito"), users)

    #expect(outcome.accounts == ["s-1", "s-2"], "\(outcome.refused)")
    #expect(try await home.account("s-1").createdAt.milliseconds == 1_600_000_000_123)
    #expect(try await home.enter("google.com", subject: "55") == "s-1")
    let bob = try await home.account("s-2")
    #expect(bob.disabled && bob.passwordIdentity?.isElsewhere == true)
    #expect(bob.createdAt.milliseconds == 1_600_000_000_000)
  }

  @Test func `Supabase's tables of users and identities`() async throws {
    let users = try home.folder.write(
      "users.csv",
      """
      id,email,encrypted_password,email_confirmed_at,phone,phone_confirmed_at,banned_until,deleted_at,created_at,raw_user_meta_data
      u-1,ada@shop.test,\(Self.bcrypt),2024-01-01 10:00:00.5+00,,,,,2024-01-01 10:00:00.5+00,"{""full_name"":""Ada""}"
      u-2,bob@shop.test,,,4930123456,2024-01-01 10:00:00+00,2999-01-01 00:00:00+00,,2024-01-01 10:00:00+02,
      u-3,cy@shop.test,,,,,,2024-05-01 10:00:00+00,2024-01-01 10:00:00+00,

      """)
    let identities = try home.folder.write(
      "identities.csv",
      """
      provider_id,user_id,identity_data,provider
      u-1,u-1,{},email
      55,u-1,"{""email"":""ada@mail.test"",""email_verified"":true}",google
      583231,u-2,{},github

      """)

    let outcome = try await home.load(
      ImporterHome.importer("supabase"), users, beside: ["identities": identities])

    #expect(outcome.accounts == ["u-1", "u-2"])
    #expect(outcome.refused == [4: "invalid-argument: The user was deleted."])
    let ada = try await home.account("u-1")
    #expect(ada.displayName == "Ada" && ada.emailVerified)
    #expect(ada.createdAt.milliseconds == 1_704_103_200_500)
    #expect(try await home.enter("ada@shop.test", "opensesame") == "u-1")
    #expect(try await home.enter("google.com", subject: "55") == "u-1")
    let bob = try await home.account("u-2")
    #expect(bob.disabled && bob.phoneNumber?.text == "+4930123456" && !bob.emailVerified)
  }

  @Test func `Keycloak's export of a realm`() async throws {
    let realm = try home.folder.write(
      "realm.json",
      #"""
      {"realm":"shop","clients":[{"users":[{"id":"no"}]}],"users":[
      {"id":"k-1","username":"ada","email":"ada@shop.test","emailVerified":true,"enabled":true,"createdTimestamp":1600000000000,"firstName":"Ada","lastName":"Lee","credentials":[{"type":"password","secretData":"{\"value\":\"KwisksMQSTJjBImuPNOLUfo6xcIAT9HxVn82Bjqg8mSk9d6wFck6L8yasPUBxnE+4qDZO8qdNjh3a7OOZ57Btg==\",\"salt\":\"TmFDbE5hQ2xOYUNsTmFDbA==\",\"additionalParameters\":{}}","credentialData":"{\"hashIterations\":1000,\"algorithm\":\"pbkdf2-sha512\",\"additionalParameters\":{}}"}],"federatedIdentities":[{"identityProvider":"google","userId":"55","userName":"ada"}]},
      {"id":"k-2","email":"bob@shop.test","enabled":true,"credentials":[{"type":"password","secretData":"{\"value\":\"5vCHAxh0drRszi7TlJAhZ+enQJeQ3fN9/GemTpE4V3U=\",\"salt\":\"TmFDbE5hQ2xOYUNsTmFDbA==\"}","credentialData":"{\"hashIterations\":5,\"algorithm\":\"argon2\",\"additionalParameters\":{\"hashLength\":[\"32\"],\"memory\":[\"64\"],\"type\":[\"id\"],\"version\":[\"1.3\"],\"parallelism\":[\"1\"]}}"}]},
      {"id":"k-3","email":"cy@shop.test","credentials":[{"type":"password","secretData":"{\"value\":\"NHKfzVMyZjJf0dcOYJbsYqi9QwcEzexDDDWJ5ntd0ko=\",\"salt\":\"TmFDbE5hQ2xOYUNsTmFDbA==\"}","credentialData":"{\"hashIterations\":1000,\"algorithm\":\"pbkdf2-sha256\"}"}],"federatedIdentities":[]},
      {"id":"k-4","username":"service","serviceAccountClientId":"app","enabled":true},
      {"id":"k-5","email":"eve@shop.test","federatedIdentities":[{"identityProvider":"intranet","userId":"5"}]}
      ],"roles":{}}

      """#)

    let outcome = try await home.load(ImporterHome.importer("keycloak"), realm)

    #expect(outcome.accounts == ["k-1", "k-2", "k-3"])
    #expect(
      outcome.refused == [
        5: "invalid-argument: The user belongs to a client and is no person.",
        6: "invalid-provider-id: The old system's provider \"intranet\" has no counterpart.",
      ])
    #expect(try await home.account("k-1").displayName == "Ada Lee")
    for (email, uid) in [("ada", "k-1"), ("bob", "k-2"), ("cy", "k-3")] {
      #expect(try await home.enter("\(email)@shop.test", "opensesame") == uid)
    }
    #expect(try await home.enter("google.com", subject: "55") == "k-1")
  }

  @Test func `Kratos' list of identities`() async throws {
    let argon =
      "$argon2id$v=19$m=64,t=2,p=1$TmFDbE5hQ2xOYUNsTmFDbA$GoF8HKv8dtnEF07zUQa79wLJ8PipCqpNBRpyiyp/nSA"
    let identities = try home.folder.write(
      "identities.json",
      #"""
      [{"id":"r-1","state":"active","traits":{"email":"ada@shop.test","name":{"first":"Ada","last":"Lee"}},"verifiable_addresses":[{"value":"ada@shop.test","verified":true,"via":"email"}],"created_at":"2024-01-01T00:00:00Z","credentials":{"password":{"type":"password","config":{"hashed_password":"\#(argon)"}},"oidc":{"type":"oidc","identifiers":["google:55"],"config":{"providers":[{"provider":"google","subject":"55"}]}}}},
      {"id":"r-2","state":"inactive","traits":{"email":"bob@shop.test"},"credentials":{"password":{"config":{"hashed_password":"$6$salt$hash"}}}}]
      [{"id":"r-3","state":"inactive","traits":{"mail":"cy@shop.test"}}]

      """#)

    let outcome = try await home.load(ImporterHome.importer("kratos"), identities)

    #expect(outcome.accounts == ["r-1", "r-3"])
    #expect(
      outcome.refused == [
        2: "invalid-argument: Passwords hashed with \"6\" cannot be checked here."
      ])
    #expect(try await home.account("r-1").emailVerified)
    #expect(try await home.enter("ada@shop.test", "opensesame") == "r-1")
    #expect(try await home.enter("google.com", subject: "55") == "r-1")
    #expect(try await home.account("r-3").disabled)
  }
}
