import type { ApplicationEntry } from "./entry.ts";
import { javascript } from "./toolchains.ts";

/** Correct applications, as the documentation of their libraries says. */
export const applications: readonly ApplicationEntry[] = [
  {
    name: "openid-client, Express",
    version: "6.9.0",
    follows: "README.md, Authorization Code Flow; examples/oidc.ts",
    toolchain: javascript,
    start: ["node", "openid_client.js"],
    callback: "/callback",
    paths: { login: "/login", check: "/account", refresh: "/refresh", logout: "/logout" },
    client: { postLogoutRedirectUris: ["/"] },
    keeps: [],
  },
  {
    name: "openid-client, Passport strategy",
    version: "6.9.0",
    follows: "examples/passport.ts",
    toolchain: javascript,
    start: ["node", "openid_client_passport.js"],
    callback: "/callback",
    paths: { login: "/login", check: "/", logout: "/logout" },
    client: { postLogoutRedirectUris: ["/goodbye"] },
    keeps: [],
  },
  {
    name: "passport-openidconnect",
    version: "0.1.2",
    follows: "README.md; todos-express-openidconnect",
    toolchain: javascript,
    start: ["node", "passport_openidconnect.js"],
    callback: "/oauth2/redirect",
    paths: { login: "/login", check: "/", logout: "/logout" },
    client: { pkce: "optional" },
    keeps: [],
  },
  {
    name: "express-openid-connect",
    version: "3.4.0",
    follows: "README.md; EXAMPLES.md, 2, 4, 6 and 9",
    toolchain: javascript,
    start: ["node", "express_openid_connect.js"],
    callback: "/callback",
    paths: { login: "/login", check: "/profile", refresh: "/refresh", logout: "/logout" },
    client: { postLogoutRedirectUris: ["/", ""], backchannelLogoutUri: "/backchannel-logout" },
    keeps: [],
  },
];
