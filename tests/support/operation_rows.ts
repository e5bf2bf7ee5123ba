import { listRegistered } from "../../src/lab/control/registered_clients.ts";
import { listRules } from "../../src/lab/control/rule_operations.ts";
import type { Lab } from "../../src/lab/lab.ts";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import { labFixtures } from "../lab/fixtures.ts";
import { authorizationUrl } from "./login.ts";
import { hasFeature, needsSettings } from "./where_feature.ts";

/** A call of an operation, which a lab may refuse. */
export interface OperationInput {
  segment: string;
  query: Record<string, string>;
  // deno-lint-ignore no-explicit-any
  body: any;
}

/** An operation that exists in TypeScript as well. Each segment, query and body is an input. */
export interface OperationRow {
  segments?: string[];
  queries?: Array<Record<string, string>>;
  bodies?: object[];
  /** The finding of a review that an input keeps from coming back. */
  finding?: string;
  /** What is random in the JSON of a result, even with a seed, within its quotes. */
  random?: RegExp;
  /** Does the same with the members of the lab. */
  member(lab: Lab, input: OperationInput): unknown;
}

/** The configuration of the lab that the inputs are for. */
export const usedLabConfig: LabConfig = {
  issuer: "https://hallpass.test",
  ...hasFeature("any_client") && { anyClient: true },
  scopes: ["openid", "email", "read", "write"],
  fetch: () => Promise.resolve(new Response(null, { status: 404 })),
};

const acme = { id: "acme", issuer: "https://a.example", alg: "ES256" } as const;
const metadataPath = "/.well-known/openid-configuration";
const url = authorizationUrl(usedLabConfig);

/** Does in a lab what the operations list, change, remove or repeat. */
export async function useLab(lab: Lab): Promise<void> {
  await lab.authorize(url, { user: "alice" });
  await lab.fetch(new Request(lab.issuer + metadataPath));
  await lab.fetch(new Request(`${lab.issuer}/oauth2/userinfo?access_token=abc`));
  lab.clock.advance("5m");
  await lab.tenant(acme);
  lab.users.put({ name: "zoe" });
  lab.configure({ lifetimes: { code: "5s" } });
  lab.clock.freeze();
  for (const { use } of labFixtures) await use?.(lab);
  lab.signIn("bob", { decision: "deny", times: 9 });
}

/** Operations whose example needs an application that listens, or an id that is random. */
export const unprepared: readonly string[] = [
  ...["POST /drill", "DELETE /sessions/:id", "DELETE /consents/:id"],
];

/** Each operation over HTTP, by "METHOD path", with what does the same in TypeScript. */
export const operationRows: Record<string, OperationRow> = {
  ...Object.assign({}, ...labFixtures.map(({ operations }) => operations)),
  "POST /tokens": {
    bodies: [
      { sub: "alice", scope: "openid offline_access", expiresIn: "10m", claims: { a: 1 } },
      { sub: "alice", client: "demo-web", kind: "id", omit: ["sid"] },
      { sub: "alice", client: "demo-web", kind: "logout", header: { typ: "x" } },
      { sub: "alice", client: "new" },
      { sub: "alice", claims: 5 },
      { sub: "alice", foo: 1 },
    ],
    member: (lab, { body }) => lab.mint(body),
  },
  "POST /codes": {
    bodies: [
      { user: "alice", client: "demo-spa", state: "s", nonce: "n", scope: "openid read" },
      { user: "alice", client: "demo-spa", redirectUri: "https://other.example/" },
      {},
    ],
    member: (lab, { body }) => lab.mint({ ...body, kind: "code" }),
  },
  "POST /authorize": {
    bodies: [
      { url, user: "alice" },
      { url, user: "alice", browser: "hers" },
      { url, user: "alice", decision: "deny" },
      { url, user: "alice", grant: ["read"] },
      { url, user: "alice", password: "wrong" },
      { url: "/nowhere", user: "alice" },
      { url: "http://[" },
    ],
    member(lab, { body: { url, browser, ...actions } }) {
      return browser === undefined
        ? lab.authorize(url, actions)
        : lab.browser(browser).authorize(url, actions);
    },
  },
  "POST /sign-out": {
    bodies: [
      { url: "/oauth2/logout", browser: "hers" },
      { url: "/oauth2/logout?id_token_hint=x", browser: "hers" },
      { url: "http://[", browser: "hers" },
    ],
    member: async (lab, { body: { url, browser } }) => ({
      location: await lab.browser(browser).signOut(url),
    }),
  },
  "GET /sign-in": { member: (lab) => lab.handsFreeState },
  "POST /sign-in": {
    bodies: [
      { user: "bob" },
      { user: "bob", decision: "deny", times: 2 },
      { ...{ user: "bob", acr: "urn:hallpass:two-factor", amr: ["otp"], authTime: "-1h" } },
      { user: "bob", acr: "urn:unknown" },
      { user: "mallory" },
      {},
    ],
    member(lab, { body: { user, ...options } }) {
      lab.signIn(user ?? false, options);
      return lab.handsFreeState;
    },
  },
  "DELETE /sign-in": {
    member(lab) {
      lab.signIn(false);
      return lab.handsFreeState;
    },
  },
  "GET /registered-clients": { member: (lab) => listRegistered(lab) },
  "GET /rules": { member: (lab) => listRules(lab) },
  "GET /clock": { member: timeOf },
  "POST /clock": {
    bodies: [
      { set: "2030-01-01T00:00:00Z", advance: "1h", freeze: false },
      { advance: "-5m" },
      { set: "1969-01-01" },
      { set: 8.64e15 },
      { advance: "soon" },
      {},
    ],
    member(lab, { body: { set, advance, freeze } }) {
      if (set !== undefined) lab.clock.set(set);
      if (advance !== undefined) lab.clock.advance(advance);
      if (freeze === false) lab.clock.run();
      return timeOf(lab);
    },
  },
  "GET /requests": {
    queries: [{}, { path: metadataPath }, { status: "303", method: "GET" }, {
      client: "demo-spa",
      secrets: "true",
    }],
    member(lab, { query: { status, secrets, ...others } }) {
      const filter = status === undefined ? {} : { status: Number(status) };
      return lab.requests({ ...others, ...filter, secrets: secrets === "true" });
    },
  },
  "DELETE /requests": { member: (lab) => lab.clearRequests() },
  "GET /flows": { member: (lab) => lab.flows() },
  "GET /flows/:id": {
    segments: ["flow-1"],
    member: (lab, { segment }) => lab.flows().find(({ id }) => id === segment),
  },
  "POST /reset": { member: (lab) => lab.reset() },
  "GET /settings": { member: settingsOf },
  "POST /settings": {
    bodies: [
      { lifetimes: { accessToken: "2m" } },
      { lifetimes: null },
      { scopes: ["openid", "vault"], requirePar: true },
      { foo: 1 },
      { lifetimes: { code: "1h" } },
      { provider: "github" },
    ],
    member(lab, { body }) {
      lab.configure(body);
      return settingsOf(lab);
    },
  },
  "DELETE /settings": {
    member(lab) {
      lab.settings.reset();
      return settingsOf(lab);
    },
  },
  "POST /tenants": {
    bodies: [
      {},
      {
        ...{ alg: "ES256", acrValues: ["gold"], requirePar: true, idTokenAlgs: ["PS256"] },
        ...{ users: [{ name: "zoe" }], clients: [{ id: "api", secret: "s" }], signIn: "zoe" },
        ...{ scopes: { openid: "Know you", vault: "Open" }, lifetimes: { code: "10s" } },
      },
      // A list, too, as in the lab.
      { scopes: ["openid", "safe"] },
      ...needsSettings({ provider: "github" }).skip ? [] : [
        { id: "hub", provider: "github", hosts: true },
        { id: "hub", provider: "acme.json" },
      ],
      { ...acme, reuse: true },
      { ...acme, reuse: true, alg: "RS256" },
      { signIn: "mallory" },
      ...needsSettings({ enterprise: true }).skip ? [] : [{ enterprise: true }],
      { issuer: "login.example" },
    ],
    finding: "U3",
    async member(lab, { body }) {
      const { issuer } = await lab.tenant(body);
      return tenantsOf(lab).find((each) => each.issuer === issuer);
    },
  },
  "GET /tenants": { member: tenantsOf },
  "DELETE /tenants/:id": {
    segments: ["acme", "other"],
    member: (lab, { segment }) => lab.tenants.close(segment),
  },
  ...directoryRows("users", "name", {
    segments: ["bob", "nobody"],
    bodies: [{ claims: { name: "Dora" }, disabled: true }, { clams: {} }],
  }),
  ...directoryRows("clients", "id", {
    segments: ["demo-web", "nobody"],
    bodies: [{ secret: "s", grantTypes: ["client_credentials"] }, { redirectUris: ["nonsense"] }],
  }),
};

/** Returns the rows of the users or the clients of a lab. */
function directoryRows(
  all: "users" | "clients",
  key: string,
  { segments, bodies }: { segments: string[]; bodies: object[] },
): Record<string, OperationRow> {
  const one = `/${all}/:${key}`;
  return {
    [`GET /${all}`]: { member: (lab) => lab[all].list() },
    [`GET ${one}`]: { segments, member: (lab, { segment }) => lab[all].get(segment) },
    [`PUT ${one}`]: {
      segments,
      bodies,
      member: (lab, { segment, body }) => lab[all].put({ ...body, [key]: segment }),
    },
    [`DELETE ${one}`]: { segments, member: (lab, { segment }) => lab[all].remove(segment) },
  };
}

function timeOf({ clock }: Lab) {
  const since = new Date(performance.timeOrigin).toISOString();
  return { now: new Date(clock.now()).toISOString(), frozen: clock.frozen, since };
}

function tenantsOf({ tenants }: Lab) {
  const describe = (id: string) => ({
    id,
    issuer: tenants.find(id).issuer,
    lab: `${usedLabConfig.issuer}/t/${id}/lab`,
  });
  return tenants.ids().map(describe);
}

/** The interface over HTTP has operations for users and clients. */
function settingsOf({ settings }: Lab) {
  const { users: _users, clients: _clients, ...others } = settings.read();
  return others;
}
