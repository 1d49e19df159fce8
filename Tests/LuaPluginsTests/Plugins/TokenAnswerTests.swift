import AuthCore
import AuthTesting
import LuaPlugins
import Testing
import TestSupport

/// The answer of the token endpoint in mappings and functions.
@Suite struct `The answer of a token endpoint` {
  let plugin = VendorPlugin()

  private func answer(_ more: [String: JSONValue]) {
    plugin.vendor.answer(
      "POST \(VendorPlugin.api)/token", json: .object(more.merging(["access_token": "at-1"]) { $1 })
    )
  }

  @Test func `a mapping reads it without userinfo`() async throws {
    answer(["athlete": ["id": 42, "names": ["Ada"]]])
    let provider = try plugin.oauth2(
      """
      identity = { subject = "$token.athlete.id", displayName = "$token.athlete.names[1]" },
      """, userinfo: false)

    let identity = try await plugin.signIn(provider)

    #expect(identity.key?.subject == "42")
    #expect(identity.profile.displayName == "Ada")
    #expect(identity.claims["$token"] == nil)
  }

  @Test func `attack: a profile cannot stand for it`() async throws {
    answer([:])
    plugin.vendor.answer(
      "GET \(VendorPlugin.api)/me", json: ["id": "7", "$token": ["athlete": ["id": "1"]]])
    let provider = try plugin.oauth2(
      """
      profile = function(profile) profile["$token"] = { athlete = { id = "1" } } return profile end,
      identity = { subject = "$token.athlete.id" },
      """)

    let error = await expectError { _ = try await plugin.signIn(provider) }

    #expect(error?.code == .invalidCredential)
    #expect(error?.field == "subject")
  }

  @Test func `attack: a mapping reaches no token and no secret`() async throws {
    answer(["id_token": "it-1", "user": ["page_token": "pt-1", "name": "Ada"]])
    plugin.vendor.answer("GET \(VendorPlugin.api)/me", json: ["id": "7"])
    let provider = try plugin.oauth2(
      """
      identity = {
        subject = "id", displayName = { "$token.access_token", "$token.user.page_token" },
        screenName = "$token.user.name",
      },
      """)

    let identity = try await plugin.signIn(provider)

    #expect(identity.profile.displayName == nil)
    #expect(identity.profile.screenName == "Ada")
  }

  @Test func `functions get it with opaque tokens`() async throws {
    answer(["user": ["id": 7, "name": "Ada"]])
    let provider = try plugin.oauth2(
      """
      profile = function(profile, http, accessToken, settings, tokens)
        return { id = tokens.user.id, login = tokens.access_token == "at-1" and "open" or "opaque" }
      end,
      identity = {
        subject = "id", screenName = "login",
        displayName = function(profile, settings, tokens) return tokens.user.name end,
      },
      """, userinfo: false)

    let identity = try await plugin.signIn(provider)

    #expect(identity.key?.subject == "7")
    #expect(identity.profile.screenName == "opaque")
    #expect(identity.profile.displayName == "Ada")
  }

  @Test func `oauth.exchange returns its other members`() async throws {
    answer(["athlete": ["id": 42], "user_secret": "us-1"])
    let provider = try plugin.home.provider(
      """
      return provider {
        id = "test.example", name = "Test", hosts = { "api.test.example" },
        credentials = {
          authorizationCode = { code = field.secret "the code", redirectURI = field.url "its address" },
        },
        verify = function(credential)
          local tokens = oauth.exchange(credential, {
            token = "\(VendorPlugin.api)/token", clientID = "the-client",
          })
          local isOpen = tokens.user_secret == "us-1" or tokens.accessToken == "at-1"
          return identity { subject = tokens.athlete.id, screenName = isOpen and "open" or "opaque" }
        end,
      }
      """)

    let identity = try await plugin.home.verify(
      provider, "authorizationCode", ["code": "c-1", "redirectURI": "https://app.example/cb"])

    #expect(identity.key?.subject == "42")
    #expect(identity.profile.screenName == "opaque")
  }
}
