-- Amazon Cognito: the answer of list-users (JSON), or a table with the columns of Cognito's own CSV.
--
--   aws cognito-idp list-users --user-pool-id POOL > users.json
--   authgraph import --with Importers/cognito.lua users.json
--
-- Cognito exports no password hashes. Users with a password of their own are marked, so that the provider of the
-- setting signIn.passwordMigration can ask Cognito at their first sign-in.
local function attributesOf(row)
  if not row.Attributes then return row end
  local attributes = {}
  for _, entry in ipairs(row.Attributes) do attributes[entry.Name] = entry.Value end
  return attributes
end

-- A time in seconds, as the command line prints it, or a text.
local function timeOf(value)
  if type(value) == "number" then return math.floor(value * 1000 + 0.5) end
  return value
end

local function isTrue(value)
  return value == true or (type(value) == "string" and value:lower() == "true")
end

return importer {
  id = "cognito", name = "Amazon Cognito", reads = { "json", "csv" }, list = "Users",
  options = { uid = { "the attribute that becomes the uid: sub or username", default = "sub" } },
  providers = {
    Google = "google.com", Facebook = "facebook.com", SignInWithApple = "apple.com",
    LoginWithAmazon = "amazon.com",
  },
  user = function(row, _, options)
    local attributes = attributesOf(row)
    local username = row.Username or attributes["cognito:username"]
    local identities = {}
    for _, entry in ipairs(json.decode(attributes.identities or "[]")) do
      table.insert(identities, { provider = entry.providerName, subject = entry.userId })
    end
    local status = row.UserStatus or "CONFIRMED"
    local isOwn = status == "CONFIRMED" or status == "RESET_REQUIRED"
    local name = attributes.name
    if not name and attributes.given_name then
      name = attributes.given_name .. (attributes.family_name and " " .. attributes.family_name or "")
    end
    return {
      uid = options.uid == "username" and username or attributes.sub or username,
      email = attributes.email, emailVerified = isTrue(attributes.email_verified),
      displayName = name, photoURL = attributes.picture, language = attributes.locale,
      phoneNumber = isTrue(attributes.phone_number_verified) and attributes.phone_number or nil,
      disabled = row.Enabled == false, createdAt = timeOf(row.UserCreateDate),
      passwordElsewhere = isOwn and attributes.email ~= nil,
      identities = identities,
    }
  end,
}
