-- Merges into the older account, and decides each field by itself: a typed name before a repeated address, the
-- newer photo, the survivor's number, and the claims one by one.

local function decideName(kept, other)
  if kept and not kept:find("@", 1, true) then return kept end
  return other or kept
end

local function length(list) return type(list) == "table" and #list or 0 end

local function longerList(kept, other)
  if length(other) > length(kept) then return other end
  return kept
end

return policy {
  name = "field-by-field",
  on = { "credential-already-in-use", "email-already-in-use" },

  decide = function(conflict)
    local keep, absorb = oldest(conflict.current, conflict.existing)
    return merge {
      into = keep,
      from = absorb,
      fields = {
        displayName = decideName,
        photoURL = "newest",
        phoneNumber = "keep",
        customClaims = {
          language = "newest", points = "highest", topics = longerList, beta = "keep", default = "union",
        },
      },
    }
  end,

  examples = {
    {
      name = "each field by its own rule",
      current = {
        createdAt = 2, displayName = "Ada Lovelace", photoURL = "https://img.example/new.png",
        phoneNumber = "+15555550101",
        customClaims = { language = "fr", points = 7, topics = { "a" }, beta = true, seen = { x = 1 } },
      },
      existing = {
        createdAt = 1, displayName = "ada@example.com", photoURL = "https://img.example/old.png",
        phoneNumber = "+15555550100",
        customClaims = { language = "en", points = 9, topics = { "b", "c" }, beta = false, seen = { y = 2 } },
      },
      expect = {
        into = "existing", displayName = "Ada Lovelace", photoURL = "https://img.example/new.png",
        phoneNumber = "+15555550100",
        customClaims = {
          language = "fr", points = 9, topics = { "b", "c" }, beta = false, seen = { x = 1, y = 2 },
        },
      },
    },
    {
      name = "a name that was typed stays, and the longer list wins",
      current = { createdAt = 2, displayName = "A. L.", customClaims = { topics = { "a", "b" } } },
      existing = { createdAt = 1, displayName = "Ada", customClaims = { topics = { "c" } } },
      expect = { into = "existing", displayName = "Ada", customClaims = { topics = { "a", "b" } } },
    },
    {
      name = "nothing becomes of nothing",
      current = { createdAt = 2 }, existing = { createdAt = 1 },
      expect = {
        into = "existing", displayName = json.null, phoneNumber = json.null, customClaims = json.null,
      },
    },
    {
      name = "a list of one side, and an address as the only name",
      current = { createdAt = 2, customClaims = { topics = { "a" } } },
      existing = { createdAt = 1, displayName = "ada@example.com" },
      expect = { displayName = "ada@example.com", customClaims = { topics = { "a" } } },
    },
  },
}
