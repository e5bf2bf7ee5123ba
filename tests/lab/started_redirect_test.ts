import { assert, assertEquals, assertMatch, assertNotEquals, assertNotMatch } from "@std/assert";
import { describe } from "node:test";
import { signRequestObject } from "../../src/lab/client_role/signed_proofs.ts";
import { startFlow } from "../../src/lab/client_role/start_flow.ts";
import { demoPublicKey } from "../../src/lab/demo/demo_keys.ts";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import { textOf } from "../support/browser.ts";
import { challenge, type Fields, verifier } from "../support/flow_kit.ts";
import { itWith } from "../support/it_with.ts";
import { openLabKit } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { registerAt } from "../support/registration.ts";
import { assertClean } from "../support/reported.ts";
import { needs } from "../support/where_feature.ts";

const it = itWith({ withKit: () => open(), withAnyClient: needs("any_client") });

type LabKit = ReturnType<typeof openLabKit>;

const own = "https://app.example/callback";
const refused = /The redirect_uri must be identical to one that the client registered/;
const secret = "web-secret-of-at-least-32-characters";

const clients: LabConfig["clients"] = [
  { id: "web", secret, redirectUris: [own], jwks: { keys: [demoPublicKey] } },
  { id: "other", redirectUris: ["https://other.example/callback"] },
  { id: "pushing", redirectUris: [own], requirePar: true },
  { id: "service", secret: `service-${secret}` },
];

function open(changes: Partial<LabConfig> = {}): LabKit {
  return openLabKit({ clients, ...changes });
}

/** Starts a flow at the lab, and returns the authorization request that it leads to. */
async function begin(kit: LabKit, client = "web", choices = ""): Promise<URL> {
  const response = await kit.get(`/start?client_id=${client}${choices}`);
  return new URL(present(response.headers.get("Location")));
}

/** Returns the link that a terminal shows for a client. */
async function linkOf({ lab }: LabKit): Promise<string> {
  const client = present(lab.clients.list().find(({ id }) => id === "web"));
  return (await startFlow(lab, { client })).url;
}

/** Returns an authorization request of a flow with some of its parameters changed. */
function changed(url: URL, changes: Record<string, string>): string {
  const result = new URL(url);
  for (const [name, value] of Object.entries(changes)) result.searchParams.set(name, value);
  return result.href;
}

/** Checks that a request is refused on a page, and never redirected. */
async function assertRefused(kit: LabKit, url: string): Promise<void> {
  const page = await kit.browser().open(url);
  assertEquals(page.status, 400, page.url);
  assertMatch(textOf(page.html), refused);
}

/** Checks that a request leads to the sign-in page. */
async function assertAccepted(kit: LabKit, url: string): Promise<void> {
  assertMatch((await kit.browser().open(url)).html, /<form id="sign-in"/);
}

describe("A client whose redirect URIs lead to its own application (OAuth 2.1, section 4.1.1)", () => {
  for (const choices of ["", "&par=on", "&jar=on", "&par=on&jar=on", "&jarm=on", "&dpop=on"]) {
    it.withKit(`E1: is started from the lab, and ends at /authorized with its tokens: web${choices}`, async (kit) => {
      const browser = kit.browser();
      const callback = await browser.authorize(`${kit.issuer}/start?client_id=web${choices}`);
      assert(callback.startsWith(`${kit.issuer}/authorized?`), callback);
      const html = await (await browser.request(callback)).text();
      const headers = new Headers();
      await browser.submit({ url: callback, status: 200, headers, html }, "send-exchange");
      const after = await (await browser.request(callback)).text();
      assertMatch(textOf(after), /access_token , decoded/);
      assertClean(kit.lab);
    });
  }

  for (const client of ["other", "pushing"]) {
    it.withKit(`E1: is started whatever kind it is: ${client}`, async (kit) => {
      await assertAccepted(kit, (await begin(kit, client)).href);
    });
  }

  it.withKit("E1: is started when it was added while the lab ran", async (kit) => {
    kit.lab.clients.put({ id: "late", redirectUris: ["https://late.example/callback"] });
    await assertAccepted(kit, (await begin(kit, "late")).href);
  });

  it.withKit("stays as it was: no metadata, client or snapshot lists the redirect URI of the lab", async (kit) => {
    await begin(kit);
    const metadata = await (await kit.get("/.well-known/openid-configuration")).text();
    assertNotMatch(metadata, /\/authorized"/);
    assertEquals(kit.lab.clients.get("web").redirectUris, [own]);
    const listed = await (await kit.get("/lab/clients", { Accept: "application/json" })).text();
    assertNotMatch(listed, /authorized/);
    await (await kit.lab.capture())();
    assertEquals(kit.lab.clients.get("web").redirectUris, [own]);
  });
});

describe("The redirect URI of the lab in a request that /start did not begin", () => {
  it.withKit("is refused without a flow", async (kit) => {
    await assertRefused(
      kit,
      kit.authorizationUrl({ client_id: "web", redirect_uri: `${kit.issuer}/authorized` }),
    );
  });

  const changes: Array<[what: string, Record<string, string>]> = [
    ["another state", { state: "another" }],
    ["an empty state", { state: "" }],
    ["the state of another client", { client_id: "other" }],
    ["another code challenge", { code_challenge: challenge }],
    ["another path of the lab", { redirect_uri: "https://hallpass.test/callback" }],
    ["another query", { redirect_uri: "https://hallpass.test/authorized?x=1" }],
    ["another host", { redirect_uri: "https://attacker.example/authorized" }],
  ];
  for (const [what, change] of changes) {
    it.withKit(`is refused with ${what}, and the flow itself still works`, async (kit) => {
      const begun = await begin(kit);
      await assertRefused(kit, changed(begun, change));
      await assertAccepted(kit, begun.href);
    });
  }

  it.withKit("is refused when the request of a flow is sent a second time", async (kit) => {
    const begun = await begin(kit);
    await assertAccepted(kit, begun.href);
    await assertRefused(kit, begun.href);
  });

  it.withKit("is accepted in the link of a terminal, again and again, also after a reset", async (kit) => {
    const link = await linkOf(kit);
    for (const _visit of [1, 2]) await assertAccepted(kit, link);
    await kit.lab.reset();
    await assertAccepted(kit, link);
  });

  it.withKit("is refused in the link of a terminal when anything else in it changes", async (kit) => {
    const link = new URL(await linkOf(kit));
    for (const [, change] of changes) await assertRefused(kit, changed(link, change));
    await kit.lab.clock.advance("31d");
    await assertRefused(kit, link.href);
  });

  it.withKit("is refused when a flow was used, by POST as by GET", async (kit) => {
    const begun = await begin(kit);
    const post = () => kit.post("/oauth2/authorize", Object.fromEntries(begun.searchParams));
    assertEquals((await post()).status, 303);
    const second = await post();
    assertEquals(second.status, 400);
    assertMatch(textOf(await second.text()), refused);
  });

  it.withKit("is refused after 30 days, after a reset, and after a restored snapshot", async (kit) => {
    const late = await begin(kit);
    kit.clock.advance(30 * 24 * 60 * 60);
    await assertRefused(kit, late.href);
    const restore = await kit.lab.capture();
    const used = await begin(kit);
    const unused = await begin(kit);
    await assertAccepted(kit, used.href);
    await restore();
    await assertRefused(kit, used.href);
    await assertRefused(kit, unused.href);
    const forgotten = await begin(kit);
    await kit.lab.reset();
    await assertRefused(kit, forgotten.href);
  });

  it.withKit("is refused in a pushed request with another state, or with a used one (RFC 9126)", async (kit) => {
    const begun = await begin(kit);
    const parameters = Object.fromEntries(begun.searchParams);
    const other = await push(kit, { ...parameters, state: "another" });
    assertEquals([other.status, other.body.error], [400, "invalid_request"]);
    assertMatch(String(other.body.error_description), refused);
    await assertAccepted(kit, begun.href);
    assertEquals((await push(kit, parameters)).status, 400);
    const pushed = await begin(kit, "web", "&par=on");
    assertEquals((await push(kit, { ...parameters, state: "x" })).status, 400);
    await assertAccepted(kit, pushed.href);
  });

  it.withKit("is refused in a signed request with another state, or with a used one (RFC 9101)", async (kit) => {
    const begun = await begin(kit);
    const parameters = Object.fromEntries(begun.searchParams);
    await assertRefused(kit, await signed(kit, { ...parameters, state: "another" }));
    // What the client signed counts, not what is beside it.
    await assertRefused(
      kit,
      `${await signed(kit, { ...parameters, state: "another" })}&state=${parameters.state}` +
        `&redirect_uri=${encodeURIComponent(`${kit.issuer}/authorized`)}`,
    );
    await assertAccepted(kit, begun.href);
    await assertRefused(kit, await signed(kit, parameters));
  });

  it.withAnyClient("is refused for configured clients where any client is admitted", async () => {
    const kit = open({ anyClient: true });
    const begun = await begin(kit);
    await assertRefused(kit, changed(begun, { state: "another" }));
    await assertAccepted(kit, begun.href);
    await assertRefused(kit, begun.href);
    assertEquals((await kit.get("/start?client_id=unknown")).status, 400);
  });

  it.withKit("is refused for a client that registered itself", async (kit) => {
    const metadata = { redirect_uris: [own], token_endpoint_auth_method: "none" };
    const { client_id } = (await registerAt(kit.server, metadata)).body;
    assertEquals((await kit.get(`/start?client_id=${client_id}`)).status, 400);
    await assertRefused(kit, changed(await begin(kit), { client_id }));
  });

  it.withKit("is refused by a tenant for a flow of the lab", async (kit) => {
    const tenant = await kit.lab.tenant({ clients });
    const begun = await begin(kit);
    const url = new URL(`${tenant.issuer}/oauth2/authorize${begun.search}`);
    await assertRefused(kit, url.href);
  });

  it.withKit("is refused at the token endpoint in place of the one of the request, and the reverse", async (kit) => {
    const browser = kit.browser();
    const callback = await browser.authorize(`${kit.issuer}/start?client_id=web`);
    const { searchParams } = new URL(callback);
    const flow = present(await kit.lab.startedFlows.find(present(searchParams.get("state"))));
    const redeem = (changes: Fields) =>
      kit.token({
        grant_type: "authorization_code",
        client_id: "web",
        client_secret: secret,
        code: present(searchParams.get("code")),
        code_verifier: flow.codeVerifier,
        ...changes,
      });
    assertEquals((await redeem({ redirect_uri: own })).body.error, "invalid_grant");
    assertEquals((await redeem({})).body.error, "invalid_request");
    const lab = `${kit.issuer}/authorized`;
    assertEquals((await redeem({ redirect_uri: lab, code_verifier: verifier })).status, 400);
    assertEquals((await redeem({ redirect_uri: lab, client_id: "other" })).status, 401);
    assertEquals((await redeem({ redirect_uri: lab })).status, 200);
    const code = await kit.code({ client_id: "web", redirect_uri: own });
    const reverse = { code, code_verifier: verifier, redirect_uri: lab };
    assertEquals((await redeem(reverse)).body.error, "invalid_grant");
  });

  it.withKit("has no place in a minted code", async (kit) => {
    const minted = kit.lab.mint({
      kind: "code",
      client: "web",
      user: "alice",
      redirectUri: `${kit.issuer}/authorized`,
    });
    assertMatch(String(await minted.catch((cause: Error) => cause.message)), refused);
  });

  it.withKit("ends with the grant of its client", async (kit) => {
    const browser = kit.browser();
    const page = await browser.open((await begin(kit)).href);
    kit.lab.clients.put({ id: "web", secret, grantTypes: ["client_credentials"] });
    const next = await browser.submit(page, "sign-in", { username: "alice", password: "alice" });
    assertNotEquals(next.status, 303);
    assertNotMatch(next.url, /code=/);
  });

  async function push(kit: LabKit, parameters: Record<string, string>) {
    const response = await kit.post("/oauth2/par", { ...parameters, client_secret: secret });
    return { status: response.status, body: await response.json() };
  }

  async function signed(kit: LabKit, parameters: Record<string, string>): Promise<string> {
    const request = await signRequestObject(kit.lab.context, "web", parameters);
    const query = new URLSearchParams({ client_id: "web", request });
    return `${kit.issuer}/oauth2/authorize?${query}`;
  }
});
