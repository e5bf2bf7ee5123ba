import type { ProviderPreset } from "./preset.ts";
import {
  aliases,
  describedError,
  fact,
  hosts,
  noIssuer,
  optionalPkce,
  tokenError,
  uncertain,
  userApis,
  wire,
} from "./preset_facts.ts";

const docs = "https://docs.discord.com/developers";
const unauthorized = { status: 401, body: { message: "401: Unauthorized", code: 0 } };

/** What the API knows about a user, apart from what a sign-in does not need. */
const user = {
  id: "{user.sub}",
  username: "{user.preferred_username}",
  discriminator: "0",
  global_name: "{user.name|null}",
  avatar: null,
  banner: null,
  accent_color: null,
  flags: 0,
  public_flags: 0,
  mfa_enabled: false,
  locale: '{user.locale|"en-US"}',
};

const application = {
  id: "{client}",
  name: "{client}",
  icon: null,
  description: "",
  hook: true,
  bot_public: false,
  bot_require_code_grant: false,
  verify_key: "{hex:client}{hex:issuer}",
};

/** Discord, as applications that sign users in see it. */
export const discord: ProviderPreset = {
  name: "discord",
  title: "Discord",
  sources: {
    oauth2: [`${docs}/topics/oauth2`, "discord-api-docs c98d64b, 2026-08-06"],
    older: ["https://github.com/discord/discord-api-docs/pull/5237", "2022-07-24"],
    user: [`${docs}/resources/user`, "discord-api-docs c98d64b, 2026-08-06"],
    reference: [`${docs}/reference`, "discord-api-docs c98d64b, 2026-08-06"],
    clients: [
      "https://github.com/search?q=%22Invalid+%5C%22code%5C%22+in+request%22&type=code",
      "seven clients",
    ],
    libraries: ["https://www.npmjs.com/package/better-auth", "1.7.25; three clients with Authlib"],
  },
  facts: {
    paths: fact("oauth2", "The page is at /oauth2, the endpoints at /api/oauth2.", {
      paths: {
        authorize: "/oauth2/authorize",
        token: "/api/oauth2/token",
        revoke: "/api/oauth2/token/revoke",
      },
      dialect: { hosts: hosts("discord.com") },
    }),
    versions: wire("reference", "Each path of the API may name its version.", {
      aliases: [
        { path: "/api/:version/oauth2/token", to: "token" },
        { path: "/api/:version/oauth2/token/revoke", to: "revoke" },
      ],
    }),
    older: wire("older", "Clients know the page at /api/oauth2 as well.", {
      aliases: aliases("authorize", "/api/oauth2/authorize /api/:version/oauth2/authorize"),
    }),
    scopes: fact("oauth2", "Scopes are words, and openid is none of those documented.", {
      scopes: {
        identify: "Know who you are",
        email: "See your e-mail address",
        connections: "See your accounts elsewhere",
        guilds: "See your servers",
        "guilds.join": "Join servers for you",
      },
      dialect: { ownMetadata: false },
    }),
    sub: wire("user", "Users have a snowflake as their id.", {
      subjects: { form: "digits", length: 18 },
    }),
    opaque: fact("oauth2", "Tokens are opaque, and last for a week.", {
      clientDefaults: { accessTokenFormat: "opaque" },
      lifetimes: { accessToken: "7d" },
    }),
    lengths: uncertain(wire("oauth2", "Codes and tokens are short, as those of the samples.", {
      credentials: {
        code: { length: 31 },
        accessToken: { length: 31 },
        refreshToken: { length: 32 },
      },
    })),
    response: wire("oauth2", "Token responses have five members and no other.", {}),
    pkce: uncertain(fact("oauth2", "PKCE is not mentioned, and not required.", optionalPkce)),
    callback: wire("oauth2", "The response has code and state, no iss.", noIssuer),
    redirect: uncertain(fact("oauth2", "Redirects have the status 302.", { redirectStatus: 302 })),
    user: wire("user, oauth2", "/users/@me needs identify, and email for the address.", {
      userApis: userApis("/api/users/@me /api/:version/users/@me", {
        body: user,
        scopes: ["identify"],
        unauthorized,
        forbidden: unauthorized,
        byScope: { email: { email: "{user.email|null}", verified: "{user.email_verified|false}" } },
      }),
    }),
    authorization: wire("oauth2", "/oauth2/@me describes the authorization of its token.", {
      userApis: userApis("/api/oauth2/@me /api/:version/oauth2/@me", {
        body: { application, scopes: "{scopes}", expires: "{expires}" },
        byScope: { identify: { user } },
        unauthorized,
      }),
    }),
    lists: wire("user", "A user's servers and connections need the scope of this name.", {
      userApis: ["guilds", "connections"].flatMap((name) =>
        userApis(`/api/users/@me/${name} /api/:version/users/@me/${name}`, {
          body: [],
          scopes: [name],
          unauthorized,
          forbidden: unauthorized,
        })
      ),
    }),
    escaped: wire("libraries", "Libraries write /users/%40me.", {}),
    errors: uncertain(wire("clients", "A wrong code is named in the description.", {
      errors: [
        describedError(
          "code.redirect_uri, code.redirect_uri_present",
          "invalid_grant",
          'Invalid "redirect_uri" in request.',
        ),
        tokenError("refresh_token.known, refresh_token.unused", { error: "invalid_grant" }),
        describedError("invalid_grant", "invalid_grant", 'Invalid "code" in request.'),
        tokenError("invalid_client", { error: "invalid_client" }, 401),
      ],
    })),
  },
  stricter: [
    "Public clients need PKCE, and a refresh token is used once.",
    "The redirect_uri of a request must be there, and the same at the token endpoint.",
  ],
  missing: [
    "OpenID Connect: the documentation names neither openid nor metadata.",
    "The implicit grant, bots, webhooks, client_credentials for the owner, and installations.",
    "Revocation of an authorization by its access token: here, that ends alone.",
    "The API beyond /users/@me and /oauth2/@me.",
    "prompt=none for users who have authorized the client.",
  ],
};
