import Testing
import AuthCore
import LuaPlugins

/// A policy that is wrong on purpose, with the fault and the smallest conflict that shows it.
struct WrongPolicy: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let property: PolicyProperty
  /// The smallest conflict in words.
  let pair: String
  /// Further declarations of the file.
  var declaring = ""
  let body: String

  func source(examples: String = "") -> PolicySource {
    PolicySource(
      name: "wrong.lua",
      text: """
        return policy {
          name = "wrong", on = { "credential-already-in-use" }, \(declaring)
          decide = function(c)
            local keep, absorb = oldest(c.current, c.existing)
            do
              \(body)
            end
            return merge { into = keep, from = absorb }
          end,
          examples = { \(examples) },
        }
        """)
  }
}

extension WrongPolicy {
  static let all = answering + merging

  /// Policies without a valid answer to some conflicts.
  private static let answering = [
    WrongPolicy(
      testDescription: "loops on two visitors", property: .total,
      pair: "current is anonymous, existing is anonymous",
      body: "if c.current.isAnonymous and c.existing.isAnonymous then while true do end end"),
    WrongPolicy(
      testDescription: "takes all memory for an admin", property: .total,
      pair: "existing has role = \"admin\"",
      body: """
        if (c.existing.customClaims or {}).role == "admin" then
          local parts = {}
          while true do parts[#parts + 1] = ("x"):rep(100000) .. #parts end
        end
        """),
    WrongPolicy(
      testDescription: "expects an address", property: .total, pair: "two accounts alike",
      body: "if c.current.email:find('@corp', 1, true) then return refuse 'company' end"),
    WrongPolicy(
      testDescription: "reads a field that does not exist", property: .total,
      pair: "current with a name",
      body: "if c.current.displayName and c.current.emailVerifed then keep = c.current end"),
    WrongPolicy(
      testDescription: "merges an account into itself", property: .total, pair: "claims apart",
      body: """
        if c.current.customClaims and c.existing.customClaims then
          return merge { into = keep, from = keep }
        end
        """),
    WrongPolicy(
      testDescription: "returns true for one provider", property: .total, pair: "by facebook.com",
      body: "if c.provider == 'facebook.com' then return true end"),
    WrongPolicy(
      testDescription: "returns a table of its own", property: .total,
      pair: "current with a photo",
      body: "if c.current.photoURL then return { into = keep, from = absorb } end"),
    WrongPolicy(
      testDescription: "writes a photo that is no picture", property: .total,
      pair: "current with a photo, existing with a photo",
      body: """
        return merge { into = keep, from = absorb, fields = { photoURL = function(kept, other)
          if kept and other then return "javascript:" .. kept end
          return kept or other
        end } }
        """),
    WrongPolicy(
      testDescription: "invents a number", property: .total,
      pair: "current with a number, existing with a number",
      body: """
        return merge { into = keep, from = absorb, fields = { phoneNumber = function(kept, other)
          if kept and other then return "+15555550199" end
          return kept or other
        end } }
        """),
    WrongPolicy(
      testDescription: "drops an identity that nobody has", property: .total,
      pair: "existing with a number",
      body: """
        local dropped
        if c.existing.phoneNumber then dropped = { "phone/" .. c.existing.phoneNumber:sub(2) } end
        return merge { into = keep, from = absorb, dropIdentities = dropped }
        """),
    WrongPolicy(
      testDescription: "fails at a company's domain", property: .total,
      pair: "existing at corp.example",
      body: #"if (c.existing.email or ""):match("@corp%.example$") then error("not yet") end"#),
    WrongPolicy(
      testDescription: "forgets authenticator apps", property: .total,
      pair: "current with an authenticator app",
      body: """
        for _, factor in ipairs(c.current.multiFactor.enrolledFactors) do
          if factor.phoneNumber:sub(1, 2) ~= "+1" then return refuse "abroad" end
        end
        """),
    WrongPolicy(
      testDescription: "returns nothing about new accounts", property: .total,
      pair: "existing created at 2026-06-30T11:59:00Z",
      body: "if time.now() - c.existing.createdAt < 30 * 24 * 60 * 60 * 1000 then return nil end"),
  ]

  /// Policies that answer, and merge where or how they should not.
  private static let merging = [
    WrongPolicy(
      testDescription: "asks only the current account for its address", property: .symmetric,
      pair: "existing with a verified address",
      body: "if c.current.emailVerified then keep, absorb = c.current, c.existing end"),
    WrongPolicy(
      testDescription: "looks for admins on one side", property: .symmetric,
      pair: "existing has role = \"admin\"",
      body: """
        if (c.current.customClaims or {}).role == "admin" then return refuse "by hand" end
        """),
    WrongPolicy(
      testDescription: "offers to merge whoever wants it", property: .proven,
      pair: "existing not proven", declaring: "unproven = true,", body: ""),
    WrongPolicy(
      testDescription: "drops all but one provider", property: .lossless,
      pair: "two accounts alike",
      body: """
        local dropped = {}
        for _, identity in ipairs(absorb.providerData) do
          if identity.providerID ~= "facebook.com" then dropped[#dropped + 1] = identity end
        end
        return merge { into = keep, from = absorb, dropIdentities = dropped }
        """),
    WrongPolicy(
      testDescription: "forgets the other number", property: .lossless,
      pair: "existing with phone",
      body: """
        return merge { into = c.current, from = c.existing, fields = {
          phoneNumber = function(kept) return kept end,
        } }
        """),
    WrongPolicy(
      testDescription: "goes round in a circle", property: .ordered,
      pair: "the first account, the second, the third",
      body: "if absorb.createdAt - keep.createdAt < 2 then keep, absorb = absorb, keep end"),
    WrongPolicy(
      testDescription: "throws a coin", property: .steady, pair: "two accounts alike",
      body: "if time.now() % 2 == 0 then keep, absorb = absorb, keep end"),
  ]
}
