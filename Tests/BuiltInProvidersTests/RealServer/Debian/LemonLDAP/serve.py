"""Runs LemonLDAP::NG, a third-party OpenID provider in Perl, on a free port of the loopback interface."""

import json
import pathlib
import sys
import time
import urllib.error

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import packages  # noqa: E402
import provider  # noqa: E402

# The password of a demonstration account is its name.
PERSON = {
    "subject": "ada", "password": "ada", "email": "ada@people.example", "name": "Ada Lovelace",
}

# Without the module that draws pictures of letters, which nobody has to read here.
PORTAL = """
use strict;
use warnings;
use Lemonldap::NG::Portal::Main;
use Lemonldap::NG::Portal::UserDB::Demo;

BEGIN {
  package Lemonldap::NG::Portal::Captcha::None;
  use Mouse;
  extends 'Lemonldap::NG::Common::Module';
  sub init { 1 }
  $INC{'Lemonldap/NG/Portal/Captcha/None.pm'} = __FILE__;
}

%%Lemonldap::NG::Portal::UserDB::Demo::demoAccounts =
  (ada => { uid => 'ada', cn => 'Ada Lovelace', mail => 'ada@people.example' });

Lemonldap::NG::Portal::Main->run({
  configStorage => { type => 'File', dirName => '%(folder)s/conf' },
  localStorage => '',
  logLevel => 'error',
  logger => 'Lemonldap::NG::Common::Logger::Std',
  userLogger => 'Lemonldap::NG::Common::Logger::Std',
  templateDir => '%(root)s/usr/share/lemonldap-ng/portal/templates',
  staticPrefix => '/static',
  languages => 'en',
});
"""


def sessions(folder: pathlib.Path, kind: str) -> dict:
    for name in (kind, f"{kind}-locks"):
        (folder / name).mkdir()
    return {"Directory": str(folder / kind), "LockDirectory": str(folder / f"{kind}-locks")}


def client(options) -> dict:
    prefix = "oidcRPMetaDataOptions"
    values = {
        "DisplayName": "AuthGraph's tests", "ClientID": provider.CLIENT,
        "ClientSecret": options.secret or "", "Public": 0 if options.secret else 1,
        "RequirePKCE": 1, "RedirectUris": options.redirect_uri, "BypassConsent": 0,
        "IDTokenSignAlg": options.algorithm, "IDTokenExpiration": 3600,
        "AccessTokenExpiration": 3600, "AuthorizationCodeExpiration": 60,
    }
    return {prefix + name: value for name, value in values.items()}


def configuration(folder: pathlib.Path, issuer: str, options) -> dict:
    private, public = provider.key_pair(options.algorithm)
    return {
        "cfgNum": "1", "cfgAuthor": "authgraph", "cfgDate": "1", "cfgVersion": "2.16.1",
        "portal": f"{issuer}/", "domain": "127.0.0.1", "cookieName": "lemonldap", "securedCookie": 0,
        "key": provider.secrets.token_hex(16), "whatToTrace": "uid", "captcha": "::Captcha::None",
        "authentication": "Demo", "userDB": "Same", "passwordDB": "Demo", "requireToken": 0,
        "portalSkin": "bootstrap", "portalDisplayRegister": 0, "portalDisplayResetPassword": 0,
        "captcha_login_enabled": 0, "captcha_mail_enabled": 0, "captcha_register_enabled": 0,
        "globalStorage": "Apache::Session::File",
        "globalStorageOptions": sessions(folder, "sessions")
        | {"generateModule": "Lemonldap::NG::Common::Apache::Session::Generate::SHA256"},
        "persistentStorage": "Apache::Session::File",
        "persistentStorageOptions": sessions(folder, "persistent"),
        "demoExportedVars": {"cn": "cn", "mail": "mail", "uid": "uid"}, "exportedVars": {},
        "locationRules": {}, "macros": {}, "groups": {}, "exportedHeaders": {},
        "issuerDBOpenIDConnectActivation": 1, "issuerDBOpenIDConnectPath": "^/oauth2/",
        "issuerDBOpenIDConnectRule": 1, "oidcServiceAllowAuthorizationCodeFlow": 1,
        "oidcServiceMetaDataIssuer": issuer, "oidcServiceMetaDataAuthnContext": {"loa-1": 1},
        "oidcServicePrivateKeySig": private, "oidcServicePublicKeySig": public,
        "oidcServiceKeyIdSig": "key-1",
        "oidcRPMetaDataExportedVars": {"rp": {"email": "mail", "name": "cn"}},
        "oidcRPMetaDataOptions": {"rp": client(options)},
    }


def wait(issuer: str, server) -> None:
    for _ in range(300):
        provider.check(server)
        try:
            address = f"{issuer}/.well-known/openid-configuration"
            provider.browser().open(address, timeout=30).close()
            return provider.check(server)
        except urllib.error.URLError:
            time.sleep(0.1)
    sys.exit("LemonLDAP::NG does not answer.")


def main() -> None:
    options = provider.options()
    root = packages.unpacked(
        "liblemonldap-ng-portal-perl", "libstring-random-perl", "libio-string-perl"
    )
    provider.at_free_port(lambda port: serve(port, root, options))


def serve(port: int, root, options) -> None:
    issuer = f"http://127.0.0.1:{port}"
    with provider.folder() as folder:
        (folder / "conf").mkdir()
        (folder / "conf/lmConf-1.json").write_text(
            json.dumps(configuration(folder, issuer, options))
        )
        (folder / "portal.psgi").write_text(PORTAL % {"folder": folder, "root": root})
        command = [
            "perl", "-MPlack::Runner", "-e",
            "my $runner = Plack::Runner->new; $runner->parse_options(@ARGV); $runner->run",
            "--", "-E", "production", "-s", "HTTP::Server::PSGI", "--host", "127.0.0.1",
            "--port", str(port), str(folder / "portal.psgi"),
        ]
        with provider.running(command, packages.environment(root)) as server:
            wait(issuer, server)
            provider.announce(issuer, options.secret, PERSON)


main()
