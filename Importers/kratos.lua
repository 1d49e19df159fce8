-- Ory Kratos: the list of identities with their credentials.
--
--   curl "$KRATOS_ADMIN/admin/identities?include_credential=oidc&include_credential=password&include_credential=totp"
--   authgraph import --with Importers/kratos.lua identities.json
--
-- The traits of an identity have any names: tell those of the address, the name and the number with --option.
local function verified(row, via, value)
  for _, address in ipairs(row.verifiable_addresses or {}) do
    if address.via == via and address.value == value and address.verified == true then return true end
  end
  return false
end

-- A name is one text, or { first, last }.
local function nameOf(name)
  if type(name) ~= "table" then return name end
  local parts = {}
  for _, part in ipairs { name.first or "", name.last or "" } do
    if part ~= "" then table.insert(parts, part) end
  end
  return #parts > 0 and table.concat(parts, " ") or nil
end

return importer {
  id = "kratos", name = "Ory Kratos", reads = { "json", "ndjson" },
  options = {
    email = { "the trait with the address", default = "email" },
    name = { "the trait with the name", default = "name" },
    phone = { "the trait with the phone number", default = "phone" },
  },
  providers = {
    google = "google.com", facebook = "facebook.com", apple = "apple.com", github = "github.com",
    gitlab = "gitlab.com", discord = "discord.com", slack = "slack.com", spotify = "spotify.com",
    linkedin = "linkedin.com", yandex = "yandex.com", vk = "vk.com",
  },
  user = function(row, _, options)
    local traits, credentials = row.traits or {}, row.credentials or {}
    local function config(type) return (credentials[type] or {}).config or {} end
    local email, phone = traits[options.email], traits[options.phone]
    local identities = {}
    for _, entry in ipairs(config("oidc").providers or {}) do
      table.insert(identities, { provider = entry.provider, subject = entry.subject })
    end
    local secret = (config("totp").totp_url or ""):match "[?&]secret=([A-Za-z2-7]+)"
    local password = config "password"
    return {
      uid = row.id, email = email, emailVerified = verified(row, "email", email),
      displayName = nameOf(traits[options.name]),
      phoneNumber = verified(row, "sms", phone) and phone or nil, disabled = row.state == "inactive",
      createdAt = row.created_at, passwordHash = password.hashed_password,
      passwordElsewhere = password.use_password_migration_hook == true, identities = identities,
      secondFactors = secret and { { totpSecret = secret } } or nil,
    }
  end,
}
