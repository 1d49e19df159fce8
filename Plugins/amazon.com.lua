-- Amazon (amazon.com), by "Login with Amazon".
-- Facts: Amazon's documentation "Access tokens" and "Obtain customer profile", and its sample for Amazon Pay; the
-- sources of logto and django-allauth.
-- To set up: make a security profile, give its clientID and clientSecret, and add the redirect URI.

return provider {
  id = "amazon.com",
  name = "Amazon",
  kind = "oauth2",
  documentation = {
    "https://developer.amazon.com/docs/login-with-amazon/access-token.html",
    "https://developer.amazon.com/docs/login-with-amazon/obtain-customer-profile.html",
  },
  notes = "Amazon says of no address that it is verified. Tokens cannot be revoked. "
    .. "Not confirmed: that people of some regions need api.amazon.co.uk or api.amazon.co.jp.",
  hosts = { "www.amazon.com", "api.amazon.com" },

  authorize = "https://www.amazon.com/ap/oa",
  token = "https://api.amazon.com/auth/o2/token",
  userinfo = "https://api.amazon.com/user/profile",
  app = {
    "https://api.amazon.com/auth/o2/tokeninfo",
    query = { access_token = "{accessToken}" }, scheme = "none", clientID = "aud", subject = "user_id",
  },
  scopes = { "profile" },

  identity = { subject = "user_id", email = "email", displayName = "name" },
}
