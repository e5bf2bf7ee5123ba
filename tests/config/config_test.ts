import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { ConfigError } from "../../src/server/config/problems.ts";
import { createServer, grantTypes } from "../../src/server/features.ts";
import { parseDuration } from "../../src/server/util/time/duration.ts";
import { problemsOf } from "../support/config_problems.ts";

const issuer = "https://id.example";
const redirectUris = ["https://app.example/cb"];
const device = "urn:ietf:params:oauth:grant-type:device_code";

describe("A configuration", () => {
  const good: Array<[what: string, config: unknown]> = [
    ["only an issuer", { issuer }],
    ["a public client", { issuer, clients: [{ id: "spa", redirectUris }] }],
    ["a confidential client with leniencies", {
      issuer,
      clients: [{
        id: "web",
        secret: "s",
        redirectUris,
        pkce: "optional",
        responseModes: ["fragment"],
      }],
    }],
    ["a client with keys", {
      issuer,
      clients: [{
        id: "robot",
        jwks: { keys: [{ kty: "EC", crv: "P-256", x: "x".repeat(43), y: "y".repeat(43) }] },
      }],
    }],
    ["a client that publishes its keys", {
      issuer,
      clients: [{ id: "robot", jwksUri: "https://app.example/jwks" }],
    }],
    ["two URLs beside the issuer, with or without a slash at the end", {
      issuer: `${issuer}/a`,
      frontChannelUrl: "https://login.example/a/",
      backChannelUrl: "http://localhost:9000/a",
    }],
    ["durations as numbers and as strings", { issuer, lifetimes: { code: 60, session: "12h" } }],
    ["a custom page", { issuer, pages: { error: () => null } }],
  ];
  for (const [what, config] of good) {
    it(`accepts ${what}`, () => {
      assertEquals(problemsOf(config), []);
    });
  }

  const bad: Array<[config: unknown, problems: string[]]> = [
    [{}, ["issuer is missing"]],
    [{ issuer: 5 }, ["issuer must be a string"]],
    [{ issuer: "http://id.example" }, [
      "issuer uses http with a host that is not loopback; use https",
    ]],
    [{ issuer, clients: {} }, ["clients must be a list of objects"]],
    [{ issuer, clients: [{}] }, ["clients[0].id is missing"]],
    [{ issuer, clients: [{ id: "é", redirectUris }] }, [
      "clients[0].id must be up to 255 printable ASCII characters",
    ]],
    [{ issuer, clients: [{ id: "a", redirectUris: ["http://app.example/"] }] }, [
      "clients[0].redirectUris[0] uses http with the host 'app.example', which is not loopback",
    ]],
    [{ issuer, clients: [{ id: "a", redirectUris, grantTypes: ["implicit"] }] }, [
      "clients[0].grantTypes contains 'implicit', which is not among the server's grantTypes: authorization_code, refresh_token, client_credentials",
    ]],
    [
      { issuer, clients: [{ id: "tv", redirectUris, grantTypes: ["authorization_code", device] }] },
      [`clients[0].grantTypes contains '${device}', which is not among the server's grantTypes: authorization_code, refresh_token, client_credentials`],
    ],
    [{ issuer, grantTypes: ["implicit"] }, [
      `grantTypes contains 'implicit'; known grant types: ${grantTypes.join(", ")}`,
    ]],
    [{ issuer, clients: [{ id: "a", secret: "s", redirectUris, authentication: ["none"] }] }, [
      "clients[0].authentication contains 'none', but the client has a secret",
    ]],
    [{ issuer, clients: [{ id: "a", redirectUris, authentication: ["client_secret_basic"] }] }, [
      "clients[0].secret is missing, but the client authenticates with one",
    ]],
    [{ issuer, clients: [{ id: "a", authentication: ["private_key_jwt"] }] }, [
      "clients[0].jwks is missing, but the client signs with its own keys; set jwks or jwksUri",
    ]],
    [{
      issuer,
      clients: [{
        id: "a",
        jwks: {
          keys: [{ kty: "EC", crv: "P-256", d: "d" }, { kty: "oct", k: "k" }, {
            kty: "EC",
            crv: "x",
          }],
        },
      }],
    }, [
      "clients[0].jwks.keys[0] is a private or a secret key; publish the public part only",
      "clients[0].jwks.keys[1] is a private or a secret key; publish the public part only",
      "clients[0].jwks.keys[2] is neither an RSA key nor a key on P-256, P-384, P-521, Ed25519 or X25519",
    ]],
    [{ issuer, clients: [{ id: "a", jwks: { keys: [] }, jwksUri: "https://app.example/jwks" }] }, [
      "clients[0].jwksUri cannot be combined with jwks",
    ]],
    [{ issuer, clients: [{ id: "a", secret: "short", authentication: ["client_secret_jwt"] }] }, [
      "clients[0].secret must have at least 32 bytes for client_secret_jwt (RFC 7518, section 3.2)",
    ]],
    [{
      issuer,
      clients: [{
        id: "a",
        jwks: { keys: [] },
        authenticationAlg: "none",
        requestObjectAlg: "HS256",
      }],
    }, [
      "clients[0].authenticationAlg must be one of: RS256, ES256, PS256, EdDSA, Ed25519",
      "clients[0].requestObjectAlg must be one of: RS256, ES256, PS256, EdDSA, Ed25519",
    ]],
    [{ issuer, clients: [{ id: "a", redirectUris, grantTypes: ["client_credentials"] }] }, [
      "clients[0].secret is missing, but the client may use the client credentials grant",
    ]],
    [{ issuer, clients: [{ id: "a", secret: "s", grantTypes: ["authorization_code"] }] }, [
      "clients[0].redirectUris is empty, but the client may use the authorization code grant",
    ]],
    [{ issuer, clients: [{ id: "a", redirectUris, scopes: ["x"], defaultScope: ["y"] }] }, [
      "clients[0].scopes contains 'x', which is not a scope of the server",
      "clients[0].defaultScope contains 'y', which is not among its scopes",
    ]],
    [{
      issuer,
      authorizationDetails: { pay: { meaning: "Pay", members: { amount: { value: "int" } } } },
    }, [
      "authorizationDetails.pay.members.amount.value must be one of: text, texts, number, flag or an object",
    ]],
    [{ issuer, authorizationDetails: { pay: { meaning: "Pay" } } }, [
      "authorizationDetails.pay.members is missing",
    ]],
    [{ issuer, clients: [{ id: "a", redirectUris, authorizationDetailsTypes: ["pay"] }] }, [
      "clients[0].authorizationDetailsTypes contains 'pay', which is not a type of authorization details of the server",
    ]],
    [{ issuer, clients: [{ id: "alice", redirectUris }], users: [{ name: "alice" }] }, [
      "clients contains 'alice', which is also the 'sub' of a user",
    ]],
    [{ issuer, users: [{ name: "a" }, { name: "a" }] }, ["users contains 'a' more than once"]],
    [{ issuer, users: [{ name: "a" }, { name: "b", sub: "a" }] }, [
      "the 'sub' of users contains 'a' more than once",
    ]],
    [{ issuer, users: [{ name: "ä" }] }, [
      "users[0].sub is missing, and the name cannot replace it: a 'sub' has up to 255 visible ASCII characters",
    ]],
    [{ issuer, users: [{ name: "a", passwordHash: "pbkdf2-sha256$600000$…" }] }, [
      "users[0].passwordHash is not a hash that this server can verify; create one with: hallpass password",
    ]],
    [{ issuer, labToken: "x", clients: [{ id: "a", contractId: "x" }] }, [
      "labToken is not a setting. Run 'hallpass schema' to list every setting",
      "clients[0].contractId is not a setting.",
    ]],
    [{ issuer, users: [{ name: "a", password: "" }] }, ["users[0].password must not be empty"]],
    [{ issuer, clients: [{ id: "a", redirectUri: [] }] }, [
      "clients[0].redirectUri is not a setting (did you mean 'redirectUris'?)",
    ]],
    [{ issuer, defaultScope: ["openid", "read"] }, [
      "defaultScope contains 'read', which is not a scope of the server",
    ]],
    [{ issuer, clients: [{ id: "a", redirectUris, scopes: ["constructor"] }] }, [
      "clients[0].scopes contains 'constructor', which is not a scope of the server",
    ]],
    [{
      issuer: "http://id.example",
      clients: [{ id: "a", redirectUris, grantTypes: ["x"] }, { id: 5 }],
    }, ["clients[1].id must be a string"]],
    [{
      issuer: "http://id.example",
      clients: [{ id: "a", redirectUris, grantTypes: ["x"] }],
    }, [
      "issuer uses http with a host that is not loopback; use https",
      "clients[0].grantTypes contains 'x', which is not among the server's grantTypes: authorization_code, refresh_token, client_credentials",
    ]],
    [{ issuer, trustedProxies: ["10.0.0.1", "0.0.0.0/0", "proxy.internal", "::ffff:10.0.0.2"] }, [
      "trustedProxies[1] must be an IP address or a network such as 10.0.0.0/8, not a name",
      "trustedProxies[2] must be an IP address or a network such as 10.0.0.0/8, not a name",
    ]],
    [{ issuer, users: [{ name: "a", sub: "ä" }] }, [
      "users[0].sub must be up to 255 visible ASCII characters",
    ]],
    [{ issuer, lifetimes: { code: "11m" } }, ["lifetimes.code must be between 1 and 600 seconds"]],
    [{ issuer, lifetimes: { session: "soon" } }, [
      "lifetimes.session must be a duration: seconds, or a string such as 30s, 5m, 1h, 30d",
    ]],
    [{ issuer, alg: "none" }, ["alg must be one of: RS256, ES256, PS256, EdDSA"]],
    [{ issuer, resources: ["my api"] }, [
      "resources[0] must be an absolute URI without a fragment, or a name without spaces",
    ]],
    [{ issuer, resources: [{ uri: "urn:api#x" }] }, [
      "resources[0].uri must be an absolute URI without a fragment, or a name without spaces",
    ]],
    [{ issuer, resources: ["urn:a", { uri: "urn:a" }] }, [
      "resources contains 'urn:a' more than once",
    ]],
    [{ issuer, resources: [{ uri: "urn:a", scopes: ["x"] }] }, [
      "resources[0].scopes contains 'x', which is not a scope of the server",
    ]],
    [{ issuer, resources: [{ uri: "urn:a", scopes: ["email"] }] }, [
      "resources[0].scopes contains 'email', which grants access to userinfo, not to an API",
    ]],
    [{ issuer, frontChannelUrl: 5 }, ["frontChannelUrl must be a string"]],
    [{ issuer, frontChannelUrl: "login.example" }, ["frontChannelUrl is not an absolute URL"]],
    [{ issuer, backChannelUrl: "http://hallpass:9000" }, [
      "backChannelUrl uses http with a host that is not loopback; use https",
    ]],
    [{ issuer, backChannelUrl: "https://hallpass/a" }, [
      "backChannelUrl must have the path of the issuer, '/'; it has '/a'",
    ]],
    [{ issuer: `${issuer}/a/b`, frontChannelUrl: "https://login.example/a" }, [
      "frontChannelUrl must have the path of the issuer, '/a/b'; it has '/a'",
    ]],
    [{ issuer, acrValues: ["phr", "gold"] }, [
      "acrValues begins with 'phr', which no sign-in by password is; begin with a weaker one",
    ]],
    [{ issuer: "id.example", frontChannelUrl: "https://login.example/a" }, [
      "issuer is not an absolute URL",
    ]],
  ];
  for (const [config, problems] of bad) {
    it(`reports: ${problems.join("; ")}`, () => {
      assertEquals(problemsOf(config), problems);
    });
  }

  it("I11: reports members of authorization details that no request could have", () => {
    const ping = { meaning: "Ping", members: {} };
    const members = { amount: {}, to: { bank: {} }, type: "text" };
    const authorizationDetails = { pay: { meaning: "Pay", members }, ping };
    const hint = "must name the members of the object, such as { value: number }";
    assertEquals(problemsOf({ issuer, authorizationDetails }), [
      "authorizationDetails.pay.members.type is the member that names the type; remove it",
      `authorizationDetails.pay.members.amount ${hint}`,
      `authorizationDetails.pay.members.to.bank ${hint}`,
    ]);
  });

  it("A42 B23 R05 R06 reports every problem at once, in plain words", () => {
    const error = assertThrows(
      () => createServer({ issuer: "http://id.example", clients: [{ id: "a", pkce: "optional" }] }),
      ConfigError,
    );
    assertEquals(
      error.message,
      `Cannot start the server: 3 problems in its configuration
  - issuer uses http with a host that is not loopback; use https
  - clients[0].secret is missing, but the client may use the client credentials grant
  - clients[0].pkce can be optional only for confidential clients`,
    );
  });
});

describe("parseDuration", () => {
  it("reads seconds, and strings with a unit", () => {
    assertEquals([90, "90s", "1.5m", "2h", "30d", "500ms"].map(parseDuration), [
      90,
      90,
      90,
      7200,
      2_592_000,
      0.5,
    ]);
  });

  it("refuses everything else", () => {
    assertEquals(
      [-1, NaN, Infinity, "", "5", "m", "5 m", "5w", null, {}].map(parseDuration),
      Array(10).fill(undefined),
    );
  });
});
