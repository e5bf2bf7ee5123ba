#!/bin/sh
# Starts Apache from packages that are unpacked here. It gives up root, so its pages are elsewhere.
set -e
export CONF="$PWD" ROOT="$PWD/root" RUN="$(mktemp -d)"
export LD_LIBRARY_PATH="$ROOT/usr/lib/$(uname -m)-linux-gnu"
trap 'rm -rf "$RUN"' EXIT
mkdir -p "$RUN/pages/secure"
chmod 755 "$RUN"
printf '<a href="/secure/">Sign in</a>' >"$RUN/pages/index.html"
cat >"$RUN/pages/secure/index.html" <<PAGE
Hello <!--#echo var="OIDC_CLAIM_name" --> <a href="/secure/redirect_uri?logout=$BASE_URL/">Sign out</a>
PAGE
printf '<!--#printenv -->' >"$RUN/pages/account.html"
"$ROOT/usr/sbin/apache2" -D FOREGROUND -f "$PWD/${1:-httpd.conf}" || cat "$RUN/error.log"
