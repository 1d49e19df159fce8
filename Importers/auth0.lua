-- Auth0: the bulk export of users (lines of JSON), and the file of password hashes that Auth0's support sends.
--
--   authgraph import --with Importers/auth0.lua users.ndjson --hashes passwords.ndjson --beside totp=totp.ndjson
--
-- Export the fields user_id, email, email_verified, name, picture, phone_number, phone_verified, blocked,
-- identities, created_at, last_login and app_metadata under these names. A connection of an enterprise is named
-- like oidc:acme: give its counterpart with --provider oidc:acme=oidc.acme. Subjects of Facebook and Apple are of
-- use only with the same app and team.
local enterprise = {
  oidc = true, okta = true, samlp = true, waad = true, adfs = true, ["google-apps"] = true, oauth2 = true,
  pingfederate = true, ad = true,
}

-- The identities of a user; without the field, the one that user_id names.
local function identitiesOf(row)
  if row.identities then return row.identities end
  local provider, subject = row.user_id:match "^([^|]+)|(.+)$"
  if not provider then return {} end
  if enterprise[provider] then
    local connection, rest = subject:match "^([^|]+)|(.+)$"
    return { { provider = provider, connection = connection, user_id = rest or subject } }
  end
  return { { provider = provider, user_id = subject } }
end

-- A hash of Auth0's own import format.
local function customHash(hash)
  local inner = hash.hash or {}
  local value = inner.value or ""
  if hash.algorithm == "bcrypt" or value:sub(1, 1) == "$" or hash.algorithm == "ldap" then return value end
  local salt = hash.salt or {}
  local function bytes(part, encoding)
    if encoding == "base64" then return part end
    if encoding == "hex" then
      return base64.encode((part:gsub("%x%x", function(two) return string.char(tonumber(two, 16)) end)))
    end
    return base64.encode(part)
  end
  local columns = {
    hash = bytes(value, inner.encoding or "hex"),
    salt = salt.value and bytes(salt.value, salt.encoding or "utf8") or nil,
  }
  local digests = { md5 = "MD5", sha1 = "SHA1", sha256 = "SHA256", sha512 = "SHA512" }
  if hash.algorithm == "scrypt" then
    columns.algorithm = "STANDARD_SCRYPT"
    columns["mem-cost"] = hash.cost or 16384
    columns["block-size"] = hash.blockSize or 8
    columns.parallelization = hash.parallelization or 1
    columns["dk-len"] = hash.keylen
  elseif hash.algorithm == "hmac" then
    local key = inner.key or {}
    columns.algorithm = "HMAC_" .. (digests[inner.digest] or tostring(inner.digest):upper())
    columns["hash-key"] = bytes(key.value or "", key.encoding or "utf8")
    if columns.salt then
      columns["hash-input-order"] = salt.position == "suffix" and "PASSWORD_FIRST" or "SALT_FIRST"
    end
  else
    columns.algorithm = digests[hash.algorithm] or tostring(hash.algorithm):upper()
    columns.rounds = 1
    if columns.salt then
      columns["hash-input-order"] = salt.position == "suffix" and "PASSWORD_FIRST" or "SALT_FIRST"
    end
  end
  return columns
end

return importer {
  id = "auth0", name = "Auth0", reads = { "ndjson", "json" },
  key = function(row) return row.user_id end,
  beside = {
    hashes = {
      reads = "ndjson",
      key = function(row)
        local id = row.alt_id or row._id or row._ID
        if type(id) == "table" then id = id["$oid"] end
        return "auth0|" .. tostring(id)
      end,
    },
    totp = { reads = "ndjson", key = function(row) return row.user_id end },
  },
  options = { claims = { "app_metadata becomes custom claims: yes or no", default = "no" } },
  providers = {
    ["google-oauth2"] = "google.com", facebook = "facebook.com", apple = "apple.com", github = "github.com",
    twitter = "twitter.com", bitbucket = "bitbucket.org", dropbox = "dropbox.com", yandex = "yandex.com",
    line = "line.me", linkedin = "linkedin.com",
  },
  user = function(row, beside, options)
    if not row.user_id then return refuse "The row has no user_id." end
    local hashes, secrets = beside.hashes or {}, beside.totp or {}
    if #hashes > 1 then return refuse "Several rows of hashes are for this user." end
    local identities, hasPassword, hasLink = {}, false, false
    for _, entry in ipairs(identitiesOf(row)) do
      if entry.provider == "auth0" then
        hasPassword = true
      elseif entry.provider == "email" then
        hasLink = true
      elseif entry.provider ~= "sms" then
        local name, subject = entry.provider, entry.user_id
        if enterprise[name] then
          local connection = entry.connection or "unnamed"
          name = name .. ":" .. connection
          local prefix = connection .. "|"
          if type(subject) == "string" and subject:sub(1, #prefix) == prefix then
            subject = subject:sub(#prefix + 1)
          end
        end
        local data = entry.profileData or {}
        table.insert(identities, {
          provider = name, subject = subject, email = data.email, displayName = data.name,
          photoURL = data.picture,
        })
      end
    end
    local hash = hashes[1] and hashes[1].passwordHash
    if not hash and row.custom_password_hash then hash = customHash(row.custom_password_hash) end
    local factors = {}
    for _, secret in ipairs(secrets) do table.insert(factors, { totpSecret = secret.otp_secret }) end
    return {
      uid = row.user_id, email = row.email, emailVerified = row.email_verified == true,
      displayName = row.name ~= row.email and row.name or nil, photoURL = row.picture,
      phoneNumber = row.phone_verified == true and row.phone_number or nil,
      disabled = row.blocked == true, createdAt = row.created_at, lastSignInAt = row.last_login,
      customClaims = options.claims == "yes" and row.app_metadata or nil,
      passwordHash = hash, passwordElsewhere = hasPassword and not hash and row.email ~= nil,
      emailLinkSignin = hasLink and row.email_verified == true, identities = identities,
      secondFactors = factors,
    }
  end,
}
