-- fails promise: an empty credential is refused, with the step at which it broke: The faulty.example credential
return provider {
  id = "faulty.example",
  name = "Faulty",
  kind = "custom",
  documentation = "https://vendor.example/docs",
  hosts = {  },
  credentials = { guest = { note = field.text { "anything", optional = true } } },
  verify = function(credential, http, settings)
    return identity { subject = credential.note or "guest" }
  end,
}
