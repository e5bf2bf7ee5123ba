import { assert, assertEquals, assertThrows } from "@std/assert";
import { join } from "node:path";
import { describe } from "node:test";
import { checkFactsOf } from "../../../src/lab/flows/check_facts.ts";
import { flowChecksOf } from "../../../src/lab/flows/flow_checks.ts";
import { requireFlowSource } from "../../../src/lab/flows/flow_source.ts";
import type { Lab } from "../../../src/lab/lab.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { formType } from "../../../src/lab/recording/exchange.ts";
import type { FlowTrace } from "../../../src/lab/recording/timeline.ts";
import { sqliteStore } from "../../../src/server/store/sqlite.ts";
import { createBrowser } from "../../support/browser.ts";
import { inFolder } from "../../support/folder.ts";
import { itWith } from "../../support/it_with.ts";
import {
  authorizationUrlIn,
  flowCode,
  flowIssuer,
  redeemIn,
  refreshIn,
  revokeIn,
  storyIn,
  tokenIn,
  userinfoIn,
} from "../../support/lab_flow.ts";
import { type LineageCase, lineageIn } from "../../support/lineage.ts";
import { present } from "../../support/present.ts";
import { assertFindings } from "../../support/reported.ts";
import { needs } from "../../support/where_feature.ts";
import type { ResponseBody } from "../../support/wire.ts";

const it = itWith({ inLab: () => openLab({ issuer: flowIssuer }), withFaults: needs("faults") });

const maxExchanges = 2000;
const offline = { scope: "openid offline_access", prompt: "consent" };

/** Returns what happened in each flow of a lab: "asked, answered, redeemed". */
function stepsOf(lab: Lab): string[] {
  return lab.flows().map(({ steps }) => steps.map(({ what }) => what).join(", "));
}

/** Returns the flow of the last exchange, which must be the last step of exactly one. */
function lastFlow(lab: Lab): FlowTrace {
  const last = present(lab.exchanges().at(-1)).id;
  const flows = lab.flows().filter(({ steps }) => steps.some(({ exchange }) => exchange === last));
  assertEquals(flows.length, 1, "the last exchange is in one flow");
  return present(flows[0]);
}

/** Returns the titles of the checks that failed in the last exchange, as its page lists them. */
function failedChecks(lab: Lab): string[] {
  const last = present(lab.exchanges().at(-1));
  const { exchanges } = requireFlowSource(lab, `request-${last.id}`);
  return flowChecksOf(checkFactsOf(lab.issuer, last, exchanges))
    .filter(({ isPassed }) => !isPassed).map(({ title }) => title);
}

/** Bodies that are no form, with the headers that `fetch` or a client adds. */
const unreadBodies: ReadonlyArray<
  readonly [what: string, HeadersInit, (fields: Record<string, string>) => BodyInit]
> = [
  ["JSON", { "Content-Type": "application/json" }, JSON.stringify],
  ["JSON with the type of a form", { "Content-Type": formType }, JSON.stringify],
  ["plain text", {}, (fields) => new URLSearchParams(fields).toString()],
  ["in parts", {}, (fields) => {
    const parts = new FormData();
    for (const [name, value] of Object.entries(fields)) parts.append(name, value);
    return parts;
  }],
];

async function sendBody(lab: Lab, headers: HeadersInit, body: BodyInit): Promise<void> {
  const url = `${lab.issuer}/oauth2/token`;
  assert(!(await lab.fetch(new Request(url, { method: "POST", headers, body }))).ok);
}

async function offlineTokens(lab: Lab): Promise<ResponseBody> {
  return await redeemIn(lab, await flowCode(lab, offline));
}

describe("An exchange is in the flow of its authorization", () => {
  it.inLab("after the report has begun anew, with no check that failed", async (lab) => {
    const { refresh_token } = await offlineTokens(lab);
    lab.clearRequests();
    await refreshIn(lab, refresh_token);
    assertEquals([lastFlow(lab).id, failedChecks(lab)], ["flow-1", []]);
  });

  it("if the report begins anew before the code is redeemed, or before the callback", async () => {
    await using lab = openLab({ issuer: flowIssuer });
    const code = await flowCode(lab);
    lab.clearRequests();
    await redeemIn(lab, code);
    assertEquals([lastFlow(lab).id, failedChecks(lab)], ["flow-1", []]);
    const browser = createBrowser(lab.fetch, (url) => !url.startsWith(`${lab.issuer}/oauth2/`));
    const page = await browser.open(authorizationUrlIn(lab, { prompt: "consent" }));
    lab.clearRequests();
    await browser.submit(page, "sign-in", { username: "alice", password: "alice" });
    const consent = await browser.open(page.url);
    await browser.submit(consent, "consent", { decision: "allow" });
    assertEquals([lastFlow(lab).id, failedChecks(lab)], ["flow-2", []]);
  });

  it.inLab("after 2,000 exchanges, with no check that failed", async (lab) => {
    const { refresh_token } = await offlineTokens(lab);
    for (let count = 0; count < maxExchanges; count++) {
      await lab.fetch(new Request(`${lab.issuer}/.well-known/openid-configuration`));
    }
    await refreshIn(lab, refresh_token);
    assertEquals([lastFlow(lab).id, failedChecks(lab)], ["flow-1", []]);
  });

  it("after a restart with a SQLite store: all that follows is one flow", async () => {
    await inFolder(async (folder) => {
      const file = join(folder, "lab.db");
      const first = openLab({ issuer: flowIssuer, store: sqliteStore(file) });
      const code = await flowCode(first, offline);
      await first.close();
      await using lab = openLab({ issuer: flowIssuer, store: sqliteStore(file) });
      const { access_token, refresh_token } = await redeemIn(lab, code);
      await userinfoIn(lab, access_token);
      await refreshIn(lab, refresh_token);
      await revokeIn(lab, access_token);
      assertEquals(stepsOf(lab), ["redeemed, used, refreshed, revoked"]);
      assertEquals(lab.flows()[0]?.client, "demo-spa");
    });
  });

  it("Z3: in its tenant and the lab, even if two tenants have the same ids by their seed", async () => {
    await using lab = openLab({ issuer: flowIssuer, seed: "one" });
    const labs = [await lab.tenant({ id: "a" }), await lab.tenant({ id: "b" })];
    for (const each of labs) await redeemIn(each, await flowCode(each));
    const expected = ["asked, shown a page, shown a page, shown a page, answered, redeemed"];
    assertEquals([lab, ...labs].map(stepsOf), [[...expected, ...expected], expected, expected]);
  });

  it.inLab("if two clients use the same state, code challenge and nonce", async (lab) => {
    const web = { client_id: "demo-web", client_secret: "demo-web-secret" };
    const codes = [await flowCode(lab), await flowCode(lab, { client_id: "demo-web" })];
    await redeemIn(lab, present(codes[1]), web);
    assertEquals(lastFlow(lab).client, "demo-web");
    await redeemIn(lab, present(codes[0]));
    assertEquals(lastFlow(lab).client, "demo-spa");
  });

  it.inLab("if another client presents its refresh token", async (lab) => {
    const { refresh_token } = await offlineTokens(lab);
    const web = { client_id: "demo-web", client_secret: "demo-web-secret" };
    const { error } = await tokenIn(lab, { grant_type: "refresh_token", refresh_token, ...web });
    assertEquals([error, lastFlow(lab).client], ["invalid_grant", "demo-spa"]);
    assertEquals(failedChecks(lab), [
      "The refresh token must have been issued to the client that presents it",
    ]);
  });

  it.inLab("if its access token has expired", async (lab) => {
    const { access_token } = await offlineTokens(lab);
    lab.clock.advance("1d");
    assertEquals((await userinfoIn(lab, access_token)).status, 401);
    assertEquals(lastFlow(lab).id, "flow-1");
  });

  it.inLab("if its client failed to authenticate, so that the server looked at nothing else", async (lab) => {
    const code = await flowCode(lab, { client_id: "demo-web" });
    const { error } = await redeemIn(lab, code, { client_id: "demo-web", client_secret: "wrong" });
    assertEquals([error, lastFlow(lab).id], ["invalid_client", "flow-1"]);
  });

  it.inLab("if a fault responded in place of the server", needs("faults"), async (lab) => {
    const code = await flowCode(lab);
    lab.fault("token.temporarily_unavailable", { state: "a-state" });
    const { error } = await redeemIn(lab, code);
    assertEquals([error, lastFlow(lab).id], ["temporarily_unavailable", "flow-1"]);
  });

  it.inLab("if it presents what a fault made up", needs("faults"), async (lab) => {
    lab.fault("callback.foreign_code");
    const { error } = await redeemIn(lab, await flowCode(lab));
    assertEquals([error, lastFlow(lab).id], ["invalid_grant", "flow-1"]);
  });

  for (const [what, headers, bodyOf] of unreadBodies) {
    it.inLab(`N1: if its body is ${what}, which the server refuses unread`, async (lab) => {
      const code = await flowCode(lab);
      const fields = { grant_type: "authorization_code", code, client_id: "demo-spa" };
      await sendBody(lab, headers, bodyOf(fields));
      assertEquals([lab.flows().length, lastFlow(lab).steps.at(-1)?.what], [1, "redeemed"]);
      assertEquals(storyIn(lab).arrows.at(-2)?.note, "authorization_code");
      lab.clock.advance("6m");
      assertFindings(lab, ["code-not-redeemed"]);
    });
  }

  it("N1: but not if an unread body names an unknown code, and it begins no flow", async () => {
    await using lab = openLab({ issuer: flowIssuer });
    const body = JSON.stringify({ grant_type: "authorization_code", code: "unknown" });
    await sendBody(lab, { "Content-Type": "application/json" }, body);
    assertEquals(lab.flows(), []);
  });

  it.inLab("but not if the server knows nothing of what it presents", async (lab) => {
    await flowCode(lab);
    await redeemIn(lab, "unknown");
    const last = present(lab.exchanges().at(-1)).id;
    assert(!lab.flows().some(({ steps }) => steps.some(({ exchange }) => exchange === last)));
  });
});

describe("A fault that is limited to a state", () => {
  it.withFaults("strikes the flow with that state, also after the report has begun anew", async () => {
    await using lab = openLab({ issuer: flowIssuer });
    const code = await flowCode(lab, { state: "struck" });
    const other = await flowCode(lab, { state: "other" });
    lab.clearRequests();
    lab.fault("token.invalid_grant", { state: "struck" });
    const errors = [(await redeemIn(lab, other)).error, (await redeemIn(lab, code)).error];
    assertEquals(errors, [undefined, "invalid_grant"]);
  });
});

const cases: readonly LineageCase[] = [
  ["a code that waits", (lab) => flowCode(lab), ["code: active"]],
  ["a code that has expired", async (lab) => {
    await flowCode(lab);
    lab.clock.advance("6m");
  }, ["code: expired"]],
  ["a code that was redeemed", async (lab) => await redeemIn(lab, await flowCode(lab)), [
    "code: spent",
    "  access token: active",
    "  ID token: active",
    "  refresh token: active",
  ]],
  ["an access token that has expired", async (lab) => {
    await redeemIn(lab, await flowCode(lab));
    lab.clock.advance("2h");
  }, ["code: spent", "  access token: expired", "  ID token: expired", "  refresh token: active"]],
  ["a refresh token that was rotated", async (lab) => {
    const { refresh_token } = await redeemIn(lab, await flowCode(lab));
    await refreshIn(lab, refresh_token);
  }, [
    "code: spent",
    "  access token 1: active",
    "  ID token 1: active",
    "  refresh token 1: spent",
    "    access token 2: active",
    "    ID token 2: active",
    "    refresh token 2: active",
  ]],
  ["a refresh token that was used twice: everything is revoked", async (lab) => {
    const { refresh_token } = await redeemIn(lab, await flowCode(lab));
    await refreshIn(lab, refresh_token);
    await refreshIn(lab, refresh_token);
  }, [
    "code: spent",
    "  access token 1: revoked, its refresh token was used twice",
    "  ID token 1: active",
    "  refresh token 1: spent",
    "    access token 2: revoked, its refresh token was used twice",
    "    ID token 2: active",
    "    refresh token 2: revoked, its refresh token was used twice",
  ]],
  ["an access token that its client revoked", async (lab) => {
    const { access_token } = await redeemIn(lab, await flowCode(lab));
    await revokeIn(lab, access_token);
  }, [
    "code: spent",
    "  access token: revoked, its client revoked it",
    "  ID token: active",
    "  refresh token: active",
  ]],
  ["a user who is gone", async (lab) => {
    await redeemIn(lab, await flowCode(lab));
    lab.users.remove("alice");
  }, ["code: spent", "  access token: revoked", "  ID token: active", "  refresh token: revoked"]],
  ["a client that acts for itself", async (lab) => {
    await tokenIn(lab, {
      grant_type: "client_credentials",
      client_id: "demo-service",
      client_secret: "demo-service-secret",
    });
  }, ["access token: active"]],
];

describe("The lineage of tokens", () => {
  for (const [what, play, tree] of cases) {
    it(`shows ${what}`, async () => {
      await using lab = openLab({ issuer: flowIssuer });
      await play(lab);
      assertEquals(await lineageIn(lab), tree);
    });
  }
});

describe("A flow whose requests are forgotten", () => {
  it("is no longer recorded, and not one without a refusal that began in 1970", () => {
    const steps = [{ at: 0, what: "asked" as const, exchange: 1 }];
    const flow = { id: "flow-205", client: "app", steps, refreshes: 0, uses: 0 };
    const lab = { flows: () => [flow], exchanges: () => [] };
    const message = "flow-205 is no longer recorded: the lab keeps the newest 2,000 requests.";
    assertThrows(() => requireFlowSource(lab, "flow-205"), Error, message);
  });
});
