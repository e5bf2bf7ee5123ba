import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import type { Config, WorkloadIssuerConfig } from "../../../src/server/features.ts";
import { findClient, findReferredClient } from "../../../src/server/issuer/clients/clients.ts";
import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { sqliteStore } from "../../../src/server/store/sqlite.ts";
import { assertionType, type ClientKey, makeClientKey, seconds } from "../../support/client_key.ts";
import { makeProof, proofKey } from "../../support/dpop.ts";
import {
  basic,
  claimsOf,
  type Fields,
  isActive,
  type Kit,
  openStrictKit,
  read,
  type ReadResponse,
  seesTokens,
} from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { brokenRule, itRefuses, type Play, toRows } from "../../support/refusals.ts";
import { hasFeature } from "../../support/where_feature.ts";

const cluster = "https://kubernetes.default.svc.cluster.local";
const github = "https://token.actions.githubusercontent.com";
const mcp = "https://mcp.example";
const orders = "https://orders.example";
const tokenEndpoint = "https://hallpass.test/oauth2/token";

const agentOfCluster = {
  "kubernetes.io": { namespace: "agents", serviceaccount: { name: "router" } },
};

function issuers({ publicJwk }: ClientKey): WorkloadIssuerConfig[] {
  return [
    {
      name: "kubernetes",
      issuer: cluster,
      jwks: { keys: [publicJwk] },
      workloads: [
        { claims: agentOfCluster, resources: [mcp], scopes: ["read"] },
        { claims: agentOfCluster, resources: [orders], scopes: ["write"] },
      ],
    },
    {
      name: "github",
      issuer: github,
      audience: "hallpass",
      workloads: [{
        claims: { repository_id: "74", ref: "refs/heads/main" },
        resources: [mcp, orders],
        scopes: ["read", "write"],
      }],
    },
  ];
}

/** A server that trusts a cluster and a CI system, and what workloads do. */
interface Workloads {
  kit: Kit;
  fetched: string[];
  /** Signs a token of the pod, with changes. */
  podToken(claims?: object, header?: Record<string, unknown>): Promise<string>;
  /** Signs a token of the job, with changes. */
  jobToken(claims?: object): Promise<string>;
  bring(jwt: string, fields?: Fields, headers?: Record<string, string>): Promise<ReadResponse>;
}

let made = 0;
const key = await makeClientKey("ES256", "k");

async function open(
  config: Partial<Config> = {},
  metadata: object = { issuer: github, jwks_uri: `${github}/jwks` },
): Promise<Workloads> {
  const fetched: string[] = [];
  const kit = openStrictKit({
    grantTypes: [jwtBearerGrantType, "client_credentials"],
    resources: [mcp, orders],
    scopes: { openid: "Sign in", read: "Read", write: "Write", admin: "All" },
    clients: [{
      id: "api",
      secret: "s",
      grantTypes: ["client_credentials", jwtBearerGrantType],
      ...seesTokens,
    }],
    workloadIssuers: issuers(key),
    fetch(url) {
      fetched.push(url);
      const isKeySet = url.endsWith("/jwks");
      return Promise.resolve(Response.json(isKeySet ? { keys: [key.publicJwk] } : metadata));
    },
    ...config,
  });
  const times = () => ({ jti: `w-${made++}`, iat: seconds(kit), exp: seconds(kit) + 600 });
  return {
    kit,
    fetched,
    podToken: (claims, header) =>
      key.sign({
        iss: cluster,
        sub: "system:serviceaccount:agents:router",
        aud: [tokenEndpoint],
        ...agentOfCluster,
        ...times(),
        ...claims,
      }, header),
    jobToken: (claims) =>
      key.sign({
        iss: github,
        sub: "repo:acme/app:environment:my env",
        aud: "hallpass",
        repository_id: "74",
        ref: "refs/heads/main",
        ...times(),
        ...claims,
      }, { typ: "JWT" }),
    bring: (assertion, fields = {}, headers) =>
      kit.token(
        { client_id: undefined, grant_type: jwtBearerGrantType, assertion, ...fields },
        headers,
      ),
  };
}

describe("A workload (MCP Workload Identity Federation)", () => {
  it("W08 is no client of anything that names no rule by which it was let in", async () => {
    const { kit: { server: { context } } } = await open();
    const clientId = "workload:kubernetes:system:serviceaccount:agents:router";
    assertEquals((await findClient(context, clientId))?.id, clientId);
    assertEquals(await findReferredClient(context, { clientId }), undefined);
  });

  it("W01 W07 W08 gets an access token without a client, about itself, and no other token", async () => {
    const { bring, podToken, kit } = await open();
    const { status, body } = await bring(await podToken(), { resource: mcp });
    const { access_token, ...others } = body;
    assertEquals(status, 200);
    assertEquals(others as unknown, { token_type: "Bearer", expires_in: 3600, scope: "read" });
    const { iss, sub, aud, client_id, scope } = claimsOf(access_token);
    const subject = "workload:kubernetes:system:serviceaccount:agents:router";
    assertEquals([iss, sub, aud, client_id, scope], [kit.issuer, subject, mcp, subject, "read"]);
    assertEquals(await isActive(kit, access_token, basic("api", "s")), true);
  });

  it("W03 is verified with the keys that the metadata of its issuer names, fetched once", async () => {
    const { bring, jobToken, fetched } = await open();
    for (let time = 0; time < 3; time++) {
      assertEquals((await bring(await jobToken(), { resource: orders })).status, 200);
    }
    assertEquals(fetched, [`${github}/.well-known/openid-configuration`, `${github}/jwks`]);
  });

  it("W06 gets only what one entry allows, and all of that by default", async () => {
    const { bring, jobToken } = await open();
    const { body } = await bring(await jobToken());
    assertEquals([claimsOf(body.access_token).aud, body.scope], [[mcp, orders], "read write"]);
    const narrow = await bring(await jobToken(), { resource: `${mcp}/`, scope: "write" });
    assertEquals([claimsOf(narrow.body.access_token).aud, narrow.body.scope], [mcp, "write"]);
  });

  it("W08 has a subject in which no other workload can be, whatever its own", async () => {
    const { bring, jobToken } = await open();
    const subjectOf = async (sub: string) =>
      claimsOf((await bring(await jobToken({ sub }), { resource: mcp })).body.access_token).sub;
    assertEquals(await subjectOf("a b"), "workload:github:a%20b");
    assertEquals(await subjectOf("a%20b"), "workload:github:a%2520b");
    assertEquals(await subjectOf("é:b"), "workload:github:%C3%A9:b");
  });

  it("W09 gets a token that is bound to its key, if it proves one", async () => {
    const { bring, podToken } = await open();
    const key = await proofKey("ES256");
    const DPoP = await makeProof(key, "POST", tokenEndpoint);
    const { body } = await bring(await podToken({ cnf: { jkt: key.jkt } }), {}, { DPoP });
    assertEquals([body.token_type, claimsOf(body.access_token).cnf], ["DPoP", { jkt: key.jkt }]);
  });

  it("W06 gets what the entry for its resource allows, if another differs by the slash", async () => {
    const slash = `${mcp}/`;
    const [kubernetes] = issuers(key);
    const workloads = [
      { claims: agentOfCluster, resources: [mcp], scopes: ["read"] },
      { claims: agentOfCluster, resources: [slash], scopes: ["write"] },
    ];
    const { bring, podToken } = await open({
      resources: [mcp, slash],
      workloadIssuers: kubernetes ? [{ ...kubernetes, workloads }] : [],
    });
    const { body } = await bring(await podToken(), { resource: slash });
    assertEquals([claimsOf(body.access_token).aud, body.scope], [slash, "write"]);
    const mixed = await bring(await podToken(), { resource: mcp, scope: "write" });
    assertEquals(mixed.body.error, "invalid_scope");
  });

  if (hasFeature("pushed authorization requests")) {
    it("W07 proves a key where the profile wants that of every client", async () => {
      const { bring, podToken, kit } = await open({ profile: "fapi-2.0", clients: [] });
      const { body } = await bring(await podToken(), { resource: mcp });
      assertEquals([body.access_token, brokenRule(kit)], [undefined, "dpop.required"]);
      const DPoP = await makeProof(await proofKey("ES256"), "POST", tokenEndpoint);
      const bound = await bring(await podToken(), { resource: mcp }, { DPoP });
      assertEquals([bound.status, bound.body.token_type], [200, "DPoP"]);
    });
  }

  it("W08 has no active token once its issuer is no longer configured", async () => {
    const store = memoryStore();
    const { bring, podToken, kit } = await open({ store });
    const { access_token } = (await bring(await podToken(), { resource: mcp })).body;
    assertEquals(await isActive(kit, access_token, basic("api", "s")), true);
    const [, other] = issuers(key);
    const later = await open({ store, workloadIssuers: other ? [other] : [] });
    assertEquals(await isActive(later.kit, access_token, basic("api", "s")), false);
  });

  it("Q4: W08 has no active token once the rule is changed or removed that it was issued by", async () => {
    const store = memoryStore();
    const { bring, podToken, kit } = await open({ store });
    const { access_token } = (await bring(await podToken(), { resource: mcp })).body;
    const [kubernetes, other] = issuers(key).map((issuer) => ({ ...issuer }));
    const [read, write] = present(kubernetes).workloads.map((rule) => present(rule));
    const later: Array<[workloads: unknown[], isActive: boolean]> = [
      [[write, { scopes: read?.scopes, resources: read?.resources, claims: read?.claims }], true],
      [[write], false],
      [[{ ...read, scopes: ["write"] }, write], false],
    ];
    for (const [workloads, expected] of later) {
      const workloadIssuers = [{ ...kubernetes, workloads }, other] as WorkloadIssuerConfig[];
      const { kit } = await open({ store, workloadIssuers });
      assertEquals(await isActive(kit, access_token, basic("api", "s")), expected);
    }
    assertEquals(await isActive(kit, access_token, basic("api", "s")), true);
  });

  it("is reported with its grant type, also if it is refused", async () => {
    const reported: unknown[] = [];
    const { bring, podToken } = await open({
      onEvent(event, request) {
        if (event.type === "request.handled") reported.push([event.status, request?.grantType]);
      },
    });
    for (const token of [await podToken(), "no token"]) await bring(token, { resource: mcp });
    assertEquals(reported, [[200, jwtBearerGrantType], [400, jwtBearerGrantType]]);
  });

  it("W01 needs a grant that the metadata lists", async () => {
    const { kit } = await open();
    const { body } = await read(await kit.get("/.well-known/oauth-authorization-server"));
    assert(body.grant_types_supported.includes(jwtBearerGrantType));
    assertEquals(body.authorization_grant_profiles_supported, undefined);
  });
});

type ChangedClaims = object | ((workloads: Workloads) => object);

/** Brings a token of the pod, with changes to the request, and to the claims and the header. */
function bringing(
  fields: Fields,
  changes: ChangedClaims = {},
  header?: Record<string, unknown>,
  headers?: Record<string, string>,
): Play<WorkloadKit> {
  return async ({ workloads }) => {
    const claims = typeof changes === "function" ? changes(workloads) : changes;
    await workloads.bring(await workloads.podToken(claims, header), fields, headers);
  };
}

function bringingJob(claims: object): Play<WorkloadKit> {
  return async ({ workloads: { bring, jobToken } }) =>
    bring(await jobToken(claims), { resource: mcp });
}

type WorkloadKit = Kit & { workloads: Workloads };

async function openKit(): Promise<WorkloadKit> {
  const workloads = await open();
  return Object.assign(workloads.kit, { workloads });
}

const at = ({ kit }: Workloads, later: number) => seconds(kit) + later;

describe("The token of a workload is refused", () => {
  const claims: Record<string, [rule: string, claims: ChangedClaims]> = {
    "W02 of another issuer": ["workload.issuer", { iss: "https://evil.example" }],
    "W02 of an issuer with a slash": ["workload.issuer", { iss: `${cluster}/` }],
    "W02 of this server": ["workload.issuer", ({ kit }) => ({ iss: kit.issuer })],
    "W02 without an issuer": ["workload.issuer", { iss: undefined }],
    "W02 of the other issuer, with this key": ["workload.audience", { iss: github }],
    "W04 for the issuer of this server": ["workload.audience", ({ kit }) => ({ aud: kit.issuer })],
    "W04 for another server": ["workload.audience", { aud: "https://evil.example/token" }],
    "W04 for two servers": ["workload.audience", { aud: [tokenEndpoint, "https://evil.example"] }],
    "W04 for this server twice": ["workload.audience", { aud: [tokenEndpoint, tokenEndpoint] }],
    "W04 for nobody": ["workload.audience", { aud: [] }],
    "W04 without an audience": ["workload.audience", { aud: undefined }],
    "W04 with the audience of another issuer": ["workload.audience", { aud: "hallpass" }],
    "W05 of another service account": ["workload.known", {
      "kubernetes.io": { namespace: "agents", serviceaccount: { name: "other" } },
    }],
    "W05 of the account in another namespace": ["workload.known", {
      "kubernetes.io": { namespace: "evil", serviceaccount: { name: "router" } },
    }],
    "W05 with the account at another place": ["workload.known", {
      "kubernetes.io": undefined,
      namespace: "agents",
      serviceaccount: { name: "router" },
    }],
    "W05 with lists in place of values": ["workload.known", {
      "kubernetes.io": { namespace: ["agents"], serviceaccount: { name: ["router"] } },
    }],
    "W05 with a value that only begins alike": ["workload.known", {
      "kubernetes.io": { namespace: "agents", serviceaccount: { name: "router-2" } },
    }],
    "W05 with capitals": ["workload.known", {
      "kubernetes.io": { namespace: "Agents", serviceaccount: { name: "router" } },
    }],
    "W05 without a subject": ["workload.sub", { sub: undefined }],
    "W05 with a list of subjects": ["workload.sub", {
      sub: ["system:serviceaccount:agents:router"],
    }],
    "W05 with a subject that is too long": ["workload.sub", { sub: "x".repeat(240) }],
    "W09 without an id": ["workload.jti", { jti: undefined }],
    "W09 with an empty id": ["workload.jti", { jti: "" }],
    "W09 without an end": ["workload.times", { exp: undefined }],
    "W09 without its beginning": ["workload.times", { iat: undefined }],
    "W09 that expired": ["workload.times", (w) => ({ iat: at(w, -700), exp: at(w, -60) })],
    "W09 that was issued for two hours, although the second is nearly over": [
      "workload.times",
      (w) => ({ iat: at(w, -7140), exp: at(w, 60) }),
    ],
    "W09 that lives for a day": ["workload.times", (w) => ({ exp: at(w, 24 * 3600) })],
    "W09 from the future": ["workload.times", (w) => ({ iat: at(w, 60) })],
    "W09 before its time": ["workload.times", (w) => ({ nbf: at(w, 60) })],
    "W09 that is bound to a key, without a proof": ["workload.key", { cnf: { jkt: "a" } }],
    "W09 that is bound to a certificate": ["workload.key", { cnf: { "x5t#S256": "a" } }],
  };
  itRefuses(toRows(claims, ([rule, changes]) => [rule, bringing({ resource: mcp }, changes)]), {
    open: openKit,
  });

  const jobs: Record<string, object> = {
    "W05 of another repository": { repository_id: "75" },
    "W05 of a repository whose id is a number": { repository_id: 74 },
    "W05 of another branch": { ref: "refs/heads/evil" },
    "W05 of a pull request": { ref: "refs/pull/1/merge" },
    "W05 without a branch": { ref: undefined },
  };
  itRefuses(toRows(jobs, (changes) => ["workload.known", bringingJob(changes)]), { open: openKit });

  const ownTypes = ["at+jwt", "oauth-id-jag+jwt", "logout+jwt", "dpop+jwt"];
  for (const typ of [...ownTypes, "client-authentication+jwt"]) {
    itRefuses(
      { [`W02 with the typ ${typ}`]: ["workload.signature", bringing({}, {}, { typ })] },
      { open: openKit },
    );
  }
  const requests: Record<string, [rule: string, fields: Fields]> = {
    "for a resource of nobody": ["workload.resource", { resource: "https://evil.example" }],
    "for this server itself": ["workload.resource", { resource: "https://hallpass.test" }],
    "for the resources of two entries": ["workload.resource", { resource: [mcp, orders] }],
    "for a scope of another entry": ["scope.allowed", { resource: mcp, scope: "write" }],
    "for the scopes of two entries": ["scope.allowed", { resource: mcp, scope: "read write" }],
    "for a scope of no entry": ["scope.allowed", { scope: "admin" }],
    "for an ID token": ["scope.allowed", { scope: "openid read" }],
    "for a refresh token": ["scope.allowed", { scope: "offline_access" }],
    "for authorization details": ["details.granted", { authorization_details: '[{"type":"a"}]' }],
    "without a token": ["assertion.present", { assertion: undefined }],
    "with two tokens": ["form.unique", { assertion: ["a", "b"] }],
    "with another grant": ["client.named", { grant_type: "client_credentials" }],
    "as a client of that name": ["client.authenticated", {
      client_id: "workload:kubernetes:system:serviceaccount:agents:router",
    }],
    "as a client without its secret": ["client.authenticated", { client_id: "api" }],
    "as a client assertion": ["client.assertion_subject", {
      client_assertion_type: assertionType,
      client_assertion: "a.b.c",
    }],
  };
  describe("W06 W07 in a request", () =>
    itRefuses(toRows(requests, ([rule, fields]) => [rule, bringing(fields)]), { open: openKit }));
  itRefuses({
    "W07 from a client that authenticates: it would speak for a user": [
      "assertion.issuer",
      bringing({}, { sub: "alice" }, {}, basic("api", "s")),
    ],
  }, { open: openKit });

  it("W02 with a key of somebody else, or with none", async () => {
    const { kit, bring, podToken } = await open();
    const [header, claims] = (await podToken()).split(".");
    const other = await (await makeClientKey("ES256", "k")).sign(claimsOf(await podToken()));
    const none = `${btoa('{"alg":"none"}').replaceAll("=", "")}.${claims}.`;
    for (const jwt of [other, none, `${header}.${claims}.`, `${header}.${claims}.AAAA`]) {
      assertEquals((await bring(jwt)).body.error, "invalid_grant");
      assertEquals(brokenRule(kit), "workload.signature");
    }
  });

  const metadata: Array<[what: string, document: object]> = [
    ["names another issuer", { issuer: cluster, jwks_uri: `${github}/jwks` }],
    ["has no keys", { issuer: github }],
    ["has its keys without https", { issuer: github, jwks_uri: "http://evil.example/jwks" }],
    ["has its keys in a file", { issuer: github, jwks_uri: "file:///jwks" }],
    ["has a list of keys", { issuer: github, jwks_uri: [`${github}/jwks`] }],
  ];
  for (const [what, document] of metadata) {
    it(`W03 if the metadata of its issuer ${what}`, async () => {
      const { bring, jobToken, fetched } = await open({}, document);
      const { body } = await bring(await jobToken());
      assertStringIncludes(body.error_description, "could not be fetched");
      assertEquals([body.error, fetched.length], ["invalid_grant", 1]);
    });
  }

  it("W07 where no issuer of workloads is configured: the client is missing", async () => {
    const { bring, podToken } = await open({
      workloadIssuers: [],
      grantTypes: ["client_credentials"],
      clients: [],
    });
    const { body } = await bring(await podToken());
    assertEquals([body.error, body.access_token], ["invalid_client", undefined]);
  });
});

for (
  const [name, openStore] of Object.entries({
    memory: memoryStore,
    SQLite: () => sqliteStore(":memory:"),
  })
) {
  it(`W09 The token of a workload is used once, however many bring it at a time, in ${name}`, async () => {
    const { bring, podToken, kit } = await open({ store: openStore() });
    const jwt = await podToken();
    const answers = await Promise.all(Array.from({ length: 6 }, () => bring(jwt)));
    assertEquals(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400, 400]);
    kit.clock.advance(609);
    const { body } = await bring(jwt);
    assertStringIncludes(body.error_description, "used before");
  });
}
