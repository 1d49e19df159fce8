-- Supabase: the rows of auth.users and auth.identities, as tables with a header, lists or lines of JSON.
--
--   psql -c "\copy auth.users to users.csv csv header" -c "\copy auth.identities to identities.csv csv header"
--   authgraph import --with Importers/supabase.lua users.csv --beside identities=identities.csv
--
-- The list of the admin API is read too; it has the identities, and no password hashes.
local function object(value)
  if type(value) == "string" then value = json.decode(value) end
  return type(value) == "table" and value or {}
end

-- PostgreSQL writes true as t in tables.
local function isTrue(value) return value == true or value == "t" or value == "true" end

-- The moment of a time of PostgreSQL.
local function moment(text)
  if text == nil or text == "infinity" then return text and math.maxinteger end
  if text:find "[+-]%d%d$" then text = text .. ":00" end
  return time.parse(text)
end

local rows = { "csv", "json", "ndjson" }

return importer {
  id = "supabase", name = "Supabase", reads = rows, list = "users",
  key = function(row) return row.id end,
  beside = { identities = { reads = rows, key = function(row) return row.user_id end } },
  options = { claims = { "raw_app_meta_data becomes custom claims: yes or no", default = "no" } },
  providers = {
    google = "google.com", facebook = "facebook.com", apple = "apple.com", github = "github.com",
    gitlab = "gitlab.com", bitbucket = "bitbucket.org", discord = "discord.com", twitter = "twitter.com",
    spotify = "spotify.com", twitch = "twitch.tv", kakao = "kakao.com", linkedin_oidc = "linkedin.com",
    slack_oidc = "slack.com",
  },
  user = function(row, beside, options)
    if row.deleted_at then return refuse "The user was deleted." end
    local identities = {}
    for _, entry in ipairs(beside.identities or row.identities or {}) do
      if entry.provider ~= "email" and entry.provider ~= "phone" then
        local data = object(entry.identity_data)
        table.insert(identities, {
          -- Before November 2023 the subject was the column id.
          provider = entry.provider, subject = entry.provider_id or entry.id, email = data.email,
          displayName = data.full_name or data.name, photoURL = data.avatar_url or data.picture,
        })
      end
    end
    local data = object(row.raw_user_meta_data or row.user_metadata)
    local banned = moment(row.banned_until)
    local phone = row.phone_confirmed_at and row.phone
    if phone and phone:sub(1, 1) ~= "+" then phone = "+" .. phone end
    local claims = object(row.raw_app_meta_data or row.app_metadata)
    claims.provider, claims.providers = nil, nil
    return {
      uid = row.id, email = row.email, emailVerified = row.email_confirmed_at ~= nil,
      displayName = data.full_name or data.name, photoURL = data.avatar_url or data.picture,
      phoneNumber = phone, disabled = banned ~= nil and banned > time.now(),
      createdAt = row.created_at, lastSignInAt = row.last_sign_in_at,
      customClaims = options.claims == "yes" and claims or nil,
      passwordHash = row.encrypted_password ~= "" and row.encrypted_password or nil,
      identities = identities,
    }
  end,
}
