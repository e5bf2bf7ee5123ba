import {
  apache,
  javascript,
  jupyterhub,
  keycloak,
  mcpPython,
  mcpTypescript,
  mlflow,
  oauth2Proxy,
  pgadmin,
  python,
  springBoot3,
  streamlit,
  superset,
  synapse,
} from "../toolchains.ts";
import type { TriedApplication, Visit } from "./entry.ts";

/** What a client does that registers at a server for MCP, and calls a tool by the user's leave. */
const callsTool = {
  registers: (base: string) => ({
    profile: "mcp",
    registration: { open: true },
    resources: [{ uri: `${base}/mcp`, scopes: ["reports"] }],
  }),
  begin: "/account",
  account: "/account",
  learns: ["answer of a tool"],
  refresh: ({ open }: Visit) => open("/account?expired"),
} as const;

/** The applications that this machine can install. One more is an entry here. */
export const triedApplications: readonly TriedApplication[] = [
  {
    app: "mod-auth-openidc",
    version: "2.4.12.3",
    toolchain: apache,
    start: ["sh", "start.sh", "first_try.conf"],
    begin: "/account.html",
    account: "/account.html",
    learns: ["user name", "name", "e-mail", "groups"],
    signOut: { path: "/redirect_uri?logout={url}/" },
    hearsSignOut: true,
    turnsPkceOn: /^OIDCPKCEMethod.*\n/m,
  },
  {
    app: "oauth2-proxy",
    version: "7.15.6",
    toolchain: oauth2Proxy,
    start: [
      "sh",
      "-c",
      [
        "exec bin/oauth2-proxy --config=$LINES --http-address=localhost:$PORT",
        "--upstream=static://200 --cookie-secure=false --skip-provider-button=true",
        // What it does after a minute, sooner
        "--cookie-refresh=3s",
      ].join(" "),
    ],
    begin: "/oauth2/start?rd=/oauth2/userinfo",
    account: "/oauth2/userinfo",
    learns: ["user name", "e-mail", "groups"],
    refresh: refreshSixTimesAtOnce,
    signOut: { path: "/oauth2/sign_out?rd=/oauth2/userinfo" },
    turnsPkceOn: /^code_challenge_method.*\n/m,
  },
  {
    app: "django-allauth",
    version: "65.21.1",
    toolchain: python,
    start: [".venv/bin/python", "first_try_allauth.py"],
    begin: "/accounts/oidc/hallpass/login/",
    press: "form[method=post] button",
    account: "/profile/",
    learns: ["user name", "name", "e-mail"],
    signOut: { path: "/accounts/logout/", press: "form[method=post] button" },
    turnsPkceOn: /^.*OAUTH_PKCE_ENABLED.*\n/m,
  },
  {
    app: "spring-boot",
    version: "3.5.7",
    toolchain: springBoot3,
    linesFile: "application.properties",
    start: [
      "sh",
      "-c",
      "SPRING_CONFIG_ADDITIONAL_LOCATION=file:$LINES exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar target/corpus.jar",
    ],
    startSeconds: 240,
    begin: "/account",
    press: "a[href$='/authorization/hallpass']",
    account: "/account",
    learns: ["user name", "name", "e-mail", "groups"],
    signOut: { path: "/account", press: "button" },
    hearsSignOut: true,
  },
  {
    app: "better-auth",
    version: "1.7.25",
    toolchain: javascript,
    linesFile: "auth.js",
    start: [
      "sh",
      "-c",
      "BETTER_AUTH_URL=$BASE_URL BETTER_AUTH_SECRET=a-secret-of-the-session-of-32-letters exec node first_try_better_auth.js",
    ],
    begin: "/",
    press: "#sign-in",
    account: "/account",
    learns: ["name", "e-mail"],
    signOut: { path: "/account", press: "#sign-out" },
    turnsPkceOn: /^ *pkce: true,\n/m,
  },
  {
    app: "jupyterhub",
    version: "6.1.1",
    toolchain: jupyterhub,
    env: { JUPYTERHUB_CRYPT_KEY: "0123456789abcdef".repeat(4) },
    start: [".venv/bin/python", "-m", "jupyterhub", "-f", "jupyterhub_config.py"],
    health: "/hub/health",
    begin: "/hub/oauth_login?next=/hub/home",
    account: "/hub/home",
    learns: ["user name", "name", "e-mail", "groups"],
    read: readHub,
    signOut: { path: "/hub/logout" },
  },
  {
    app: "streamlit",
    version: "1.67.0",
    toolchain: streamlit,
    linesFile: ".streamlit/secrets.toml",
    start: [
      "sh",
      "-c",
      [
        "exec .venv/bin/python -m streamlit run app.py --server.port=$PORT --secrets.files=$LINES",
        "--server.address=localhost --server.headless=true --browser.gatherUsageStats=false",
      ].join(" "),
    ],
    begin: "/",
    press: ".st-key-log-in button",
    account: "/",
    learns: ["name", "user name", "e-mail"],
    signOut: { path: "/", press: ".st-key-log-out button" },
  },
  {
    app: "superset",
    version: "6.1.0",
    toolchain: superset,
    linesFile: "superset_config.py",
    start: ["sh", "start.sh"],
    startSeconds: 400,
    begin: "/login/hallpass",
    account: "/api/v1/me/",
    learns: ["user name", "e-mail", "groups"],
    read: ({ tab }) =>
      tab.evaluate("fetch('/api/v1/me/roles/').then((response) => response.text())"),
    signOut: { path: "/logout/" },
    turnsPkceOn: /, "code_challenge_method": "S256"/,
  },
  {
    app: "synapse",
    version: "1.163.2",
    toolchain: synapse,
    linesFile: "hallpass.yaml",
    start: ["sh", "start.sh"],
    begin: "/account",
    account: "/account",
    learns: ["user name", "name", "e-mail"],
    hearsSignOut: true,
  },
  {
    app: "pgadmin",
    version: "9.18",
    toolchain: pgadmin,
    linesFile: "config_local.py",
    start: ["sh", "start.sh"],
    startSeconds: 240,
    begin: "/login",
    press: "button[name=oauth2_button]",
    account: "/browser/js/utils.js",
    learns: ["user name"],
    signOut: { path: "/logout" },
    turnsPkceOn: /^.*OAUTH2_CHALLENGE_METHOD.*\n/m,
  },
  {
    app: "mlflow",
    version: "7.24.0",
    toolchain: mlflow,
    linesFile: ".env",
    start: ["sh", "start.sh"],
    startSeconds: 300,
    begin: "/login",
    account: "/api/2.0/mlflow/users/current",
    learns: ["name", "e-mail", "groups"],
    signOut: { path: "/logout" },
  },
  {
    app: "keycloak",
    version: "26.4.5",
    toolchain: keycloak,
    path: "/realms/lab",
    env: { KC_BOOTSTRAP_ADMIN_USERNAME: "admin", KC_BOOTSTRAP_ADMIN_PASSWORD: "admin" },
    start: ["sh", "start.sh"],
    startSeconds: 300,
    begin: "/realms/lab/account",
    press: "#social-hallpass",
    account: "/realms/lab/account",
    learns: ["name", "user name", "e-mail"],
    read: readRealm,
    signOut: { path: "/realms/lab/protocol/openid-connect/logout", press: "#kc-logout" },
    turnsPkceOn: /^(?:Use PKCE|PKCE method):.*\n?/gm,
  },
  {
    app: "mcp-python",
    version: "1.30.0",
    toolchain: mcpPython,
    start: [".venv/bin/python", "app.py"],
    ...callsTool,
  },
  {
    app: "mcp-typescript",
    version: "1.32.2",
    toolchain: mcpTypescript,
    start: ["node", "app.js"],
    ...callsTool,
  },
];

/** Reads what a hub knows about its user. */
async function readHub({ base }: Visit): Promise<string> {
  const headers = { Authorization: "token a-token-of-the-test-with-letters" };
  return await (await fetch(`${base}/hub/api/users/ada`, { headers })).text();
}

/** Reads what a realm knows about its users. */
async function readRealm({ base }: Visit): Promise<string> {
  const form = "grant_type=password&client_id=admin-cli&username=admin&password=admin";
  const { access_token: token } = await (await fetch(
    `${base}/realms/master/protocol/openid-connect/token`,
    { method: "POST", body: new URLSearchParams(form) },
  )).json();
  const headers = { Authorization: `Bearer ${token}` };
  return await (await fetch(`${base}/admin/realms/lab/users`, { headers })).text();
}

/** A page that loads six pictures, when the session is due for a refresh, and again later. */
async function refreshSixTimesAtOnce({ tab, status }: Visit): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    const statuses = await Promise.all(
      Array.from({ length: 6 }, (_, at) => status(`/picture-${at}`)),
    );
    if (statuses.some((each) => each !== 200)) {
      throw new Error(`${await tab.url()}: ${statuses.join(" ")}`);
    }
  }
}
