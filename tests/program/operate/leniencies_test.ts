import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { describe } from "node:test";
import { clientLeniencies, findLeniencies } from "../../../src/program/operate/leniencies.ts";
import type { Config } from "../../../src/server/features.ts";
import { listClients } from "../../../src/server/issuer/directory/directory_entries.ts";
import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import { itWith } from "../../support/it_with.ts";
import { openStrictKit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { needs } from "../../support/where_feature.ts";

const it = itWith({ withIntrospection: needs("introspection") });

const redirectUris = ["https://app.example/cb"];

async function leniencies(config: Partial<Config>): Promise<string[]> {
  const { context } = openStrictKit(config).server;
  const clients = (await listClients(context)).map(({ value }) => value);
  return findLeniencies(context.settings, clients).map(({ setting }) => setting);
}

/** A configuration with every leniency of a server. */
const lenient: Partial<Config> = {
  accessTokenType: "JWT",
  refreshReuseGrace: "10s",
  logoutConfirmation: "skip",
  resources: [{ uri: "https://api.example", accessTokenType: "JWT" }],
  insecure: { httpIssuer: true, httpRedirectUris: true, privateFetches: true },
  grantTypes: ["authorization_code", "refresh_token", jwtBearerGrantType],
  workloadIssuers: [{
    name: "ci",
    issuer: "https://ci.example",
    reusable: true,
    workloads: [{ claims: { sub: "a" }, resources: ["https://api.example"], scopes: ["read"] }],
  }],
  scopes: { read: "Read" },
  registration: {
    initialAccessToken: "an-initial-access-token-of-32-characters",
    trusted: true,
    pkce: "optional",
    assertionAudience: "token-endpoint",
  },
  clients: [{
    id: "old",
    secret: "a-secret-of-22-characters",
    redirectUris,
    accessTokenType: "JWT",
    introspect: "any",
    pkce: "optional",
    redirectUriAtToken: "if-present",
    assertionAudience: "token-endpoint",
  }],
};

describe("The leniencies that are on", () => {
  it("are none by default", async () => {
    assertEquals(await leniencies({ clients: [{ id: "app", redirectUris }] }), []);
  });

  it.withIntrospection("S14: are those of the server, its resources and its clients", async () => {
    assertEquals(await leniencies(lenient), [
      ...["accessTokenType", "insecure.httpRedirectUris", "insecure.privateFetches"],
      ...["refreshReuseGrace", "resource https://api.example: accessTokenType"],
      ...["registration.trusted", "registration.pkce", "registration.assertionAudience"],
      ...["workloadIssuers ci: reusable", "logoutConfirmation"],
      ...["client old: pkce", "client old: redirectUriAtToken", "client old: assertionAudience"],
      ...["client old: accessTokenType", "client old: introspect"],
    ]);
  });

  it("S14: are also those that the profile mcp gives to clients that are not configured", async () => {
    assertEquals(
      await leniencies({
        profile: "mcp",
        resources: ["https://api.example"],
        fetchUntrusted: fetch,
      }),
      ["profile mcp: redirectUriAtToken", "profile mcp: scope of a registration"],
    );
  });

  it("S14: are also nonces instead of PKCE where the profile, or hardened, requires PKCE", async () => {
    const clients = [{ id: "web", secret: "s", redirectUris, pkce: "or-nonce" as const }];
    const mcp: Partial<Config> = {
      profile: "mcp",
      resources: ["https://api.example"],
      clientMetadataDocuments: false,
    };
    const ofProfile = await leniencies(mcp);
    const rows: Array<[config: Partial<Config>, listed: string[]]> = [
      [{ clients }, []],
      [{ clients, hardened: true }, ["client web: pkce"]],
      [{ hardened: true, pkce: "or-nonce" }, ["pkce"]],
      [{ ...mcp, clients }, [...ofProfile, "client web: pkce"]],
      [{ ...mcp, pkce: "or-nonce" }, ["pkce", ...ofProfile]],
      [{ pkce: "optional" }, ["pkce"]],
    ];
    for (const [config, listed] of rows) assertEquals(await leniencies(config), listed);
  });

  it("T30 S14: are also graces of more than 10 seconds, or of a public client", async () => {
    const graceOf = (refreshReuseGrace: "1s" | "10s" | "11s", secret?: string) =>
      leniencies({
        clients: [{ id: "app", redirectUris, refreshReuseGrace, ...secret && { secret } }],
      });
    assertEquals(await graceOf("10s", "s"), []);
    assertEquals(await graceOf("11s", "s"), ["client app: refreshReuseGrace"]);
    assertEquals(await graceOf("1s"), ["client app: refreshReuseGrace"]);
  });

  it("T30: are also graces of a client that registered itself, although it authenticates", async () => {
    const { context } = openStrictKit({
      clients: [{ id: "app", secret: "s", redirectUris, refreshReuseGrace: "10s" }],
    }).server;
    const [client] = (await listClients(context)).map(({ value }) => value);
    const registration = { tokenHash: "", issuedAt: 0, metadata: {} };
    const graces = clientLeniencies(context.settings, { ...present(client), registration })
      .filter(({ setting }) => setting.endsWith("refreshReuseGrace"));
    assertEquals(graces.length, 1);
  });

  it.withIntrospection("S14: are in the table of SPECIFICATIONS.md, and each of the table is listed", async () => {
    const page = await readFile(".github/SPECIFICATIONS.md", "utf8");
    const [, table = ""] = /\| leniency \| where \|[^\n]*\n\|[-|]+\n((?:\|.*\n)+)/.exec(page) ?? [];
    const inTable = [...table.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`([\w.]+)/g)].map(([, name = ""]) => name.split(".").at(-1) ?? "")
    );
    const listed = (await leniencies({ ...lenient, issuer: "http://localhost:3000" }))
      .map((what) => what.replace(/^issuer$/, "httpIssuer").split(/[.:] ?/).at(-1) ?? "");
    assertEquals([...new Set(inTable)].sort(), [...new Set(listed)].sort());
  });
});
