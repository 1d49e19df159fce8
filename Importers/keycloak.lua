-- Keycloak: a realm's export, or its files of users. Both are JSON with the list "users".
--
--   kc.sh export --realm NAME --file realm.json
--   authgraph import --with Importers/keycloak.lua realm.json
--
-- Identity providers are named by their alias in the realm: give further ones with --provider ALIAS=ID. Security keys
-- are not imported.
local letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

-- Keycloak keeps the secret of an authenticator app as the text itself, and apps take base32.
local function base32(text)
  local out, bits, count = {}, 0, 0
  for index = 1, #text do
    bits, count = (bits << 8 | text:byte(index)) & 0xFFFFFF, count + 8
    while count >= 5 do
      count = count - 5
      local five = bits >> count & 31
      out[#out + 1] = letters:sub(five + 1, five + 1)
    end
  end
  if count > 0 then
    local five = bits << (5 - count) & 31
    out[#out + 1] = letters:sub(five + 1, five + 1)
  end
  return table.concat(out)
end

-- Both halves of a credential are texts of JSON; before version 8 their fields were the credential's own.
local function halves(credential)
  local secret = credential.secretData and json.decode(credential.secretData)
    or { value = credential.hashedSaltedValue, salt = credential.salt }
  local data = credential.credentialData and json.decode(credential.credentialData) or credential
  return secret, data
end

local function hashOf(credential)
  local secret, data = halves(credential)
  local names = { pbkdf2 = "PBKDF_SHA1", ["pbkdf2-sha256"] = "PBKDF2_SHA256", ["pbkdf2-sha512"] = "PBKDF2_SHA512" }
  if data.algorithm == "argon2" then
    local settings = data.additionalParameters or {}
    local function first(name) return (settings[name] or {})[1] end
    return {
      algorithm = "ARGON2", hash = secret.value, salt = secret.salt,
      ["argon2-hash-type"] = "ARGON2_" .. (first "type" or "id"):upper(),
      ["argon2-version"] = first "version" == "1.0" and "VERSION_10" or "VERSION_13",
      ["argon2-iterations"] = data.hashIterations,
      ["argon2-memory-cost-kib"] = first "memory", ["argon2-parallelism"] = first "parallelism",
      ["argon2-hash-length-bytes"] = first "hashLength",
    }
  end
  return {
    algorithm = names[data.algorithm] or tostring(data.algorithm):upper(), hash = secret.value,
    salt = secret.salt, rounds = data.hashIterations,
  }
end

local function factorOf(credential)
  local secret, data = halves(credential)
  if data.subType ~= "totp" or (data.digits or 6) ~= 6 or (data.period or 30) ~= 30
    or (data.algorithm or "HmacSHA1") ~= "HmacSHA1"
  then
    return nil
  end
  local text = data.secretEncoding == "BASE32" and secret.value or base32(secret.value)
  return {
    id = credential.id, displayName = credential.userLabel, totpSecret = text,
    enrolledAt = credential.createdDate,
  }
end

return importer {
  id = "keycloak", name = "Keycloak", reads = "json", list = "users",
  providers = {
    google = "google.com", facebook = "facebook.com", apple = "apple.com", github = "github.com",
    gitlab = "gitlab.com", bitbucket = "bitbucket.org", twitter = "twitter.com",
    ["linkedin-openid-connect"] = "linkedin.com",
  },
  user = function(row)
    if row.serviceAccountClientId then return refuse "The user belongs to a client and is no person." end
    local hash, factors = nil, {}
    for _, credential in ipairs(row.credentials or {}) do
      if credential.type == "password" then
        hash = hashOf(credential)
      elseif credential.type == "otp" or credential.type == "totp" then
        local factor = factorOf(credential)
        if not factor then return refuse "The authenticator app is not of 6 digits, 30 seconds and SHA-1." end
        table.insert(factors, factor)
      end
    end
    local identities = {}
    for _, entry in ipairs(row.federatedIdentities or {}) do
      table.insert(identities, {
        provider = entry.identityProvider, subject = entry.userId, screenName = entry.userName,
      })
    end
    local names = {}
    for _, name in ipairs { row.firstName or "", row.lastName or "" } do
      if name ~= "" then table.insert(names, name) end
    end
    return {
      uid = row.id, email = row.email, emailVerified = row.emailVerified == true,
      displayName = #names > 0 and table.concat(names, " ") or nil, disabled = row.enabled == false,
      createdAt = row.createdTimestamp, language = ((row.attributes or {}).locale or {})[1],
      passwordHash = hash, identities = identities, secondFactors = factors,
    }
  end,
}
