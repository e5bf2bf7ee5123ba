import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { textOf } from "../../support/browser.ts";
import {
  agent,
  agentHeaders,
  answerCiba,
  beginCiba,
  openRequest,
  reviewRequest,
} from "../../support/ciba.ts";
import { makeProof, type ProofChanges, proofKey } from "../../support/dpop.ts";
import { itWith } from "../../support/it_with.ts";
import { claimsOf, isActive, openKit, seesTokens } from "../../support/kit.ts";
import { itRefuses } from "../../support/refusals.ts";
import { refusedPolls } from "./rule_rows.ts";

const it = itWith({
  inKit: openKit,
  withRequest: () => openRequest(openKit()),
  withKey: openBound,
});

describe("The CIBA grant (CIBA, sections 10.1 and 11)", () => {
  it.withRequest("C11 issues tokens once the user has allowed the request", async ({ kit, answer, poll }) => {
    await answer();
    const { status, body: tokens } = await poll();
    assertEquals([status, tokens.token_type, tokens.scope], [200, "Bearer", "openid profile read"]);
    const { sub, aud, auth_time } = claimsOf(tokens.id_token);
    assertEquals([sub, aud, auth_time], ["alice", "demo-agent", kit.clock.now / 1000]);
    const { client_id, ...access } = claimsOf(tokens.access_token);
    assertEquals([client_id, access.sub], ["demo-agent", "alice"]);
    const asClient = { client_id: undefined };
    const refreshed = await kit.refresh(tokens.refresh_token, asClient, agentHeaders);
    assertEquals([refreshed.status, await isActive(kit, tokens.access_token)], [200, true]);
  });

  it("C07 asks for a sign-in with the requested acr, and puts it into the ID token", async () => {
    const kit = openKit({ acrValues: ["one", "two"] });
    const { review, poll } = await openRequest(kit, { acr_values: "two" });
    const browser = kit.browser();
    const fields = { username: "alice", password: "alice", acr: "two" };
    await browser.decide(await browser.submit(await review(browser), "sign-in", fields));
    assertEquals(claimsOf((await poll()).body.id_token).acr, "two");
  });

  it("C11 narrows to some of the resources and authorization details that were allowed", async () => {
    const pay = { meaning: "Pay", members: { to: "text" } } as const;
    const kit = openKit({ authorizationDetails: { pay } });
    const details = ["1", "2"].map((to) => ({ type: "pay", to }));
    const resource = ["https://a.example", "https://b.example"];
    const asked = { resource, authorization_details: JSON.stringify(details) };
    const { answer, poll, pollError } = await openRequest(kit, asked);
    await answer();
    assertEquals(await pollError({ resource: "https://c.example" }), "invalid_target");
    const some = { resource: resource[0], authorization_details: JSON.stringify(details.slice(1)) };
    const { aud, authorization_details } = claimsOf((await poll(some)).body.access_token);
    assertEquals([aud, authorization_details], [resource[0], details.slice(1)]);
  });

  itRefuses(refusedPolls);
});

/** Begins a request of a client whose tokens are bound to a key. */
async function openBound(config: Parameters<typeof openKit>[0] = {}) {
  const kit = openKit({ clients: [agent({ dpop: "required", ...seesTokens })], ...config });
  const request = await openRequest(kit);
  /** Polls with a proof, with a test's changes. */
  async function poll(changes: ProofChanges = {}, key = "ES256") {
    const proof = { now: kit.clock.now, ...changes };
    const DPoP = await makeProof(await proofKey(key), "POST", `${kit.issuer}/oauth2/token`, proof);
    return await request.poll({}, { ...agentHeaders, DPoP });
  }
  return {
    ...{ ...request, poll, pollWithoutProof: request.pollError },
    pollError: async (changes?: ProofChanges, key?: string) =>
      (await poll(changes, key)).body.error,
  };
}

describe("CIBA with DPoP (CIBA, section 10.1.1; RFC 9449, section 5)", () => {
  it.withKey("C11 binds the tokens to the key of the poll that gets them", async ({ answer, poll }) => {
    await answer();
    const { access_token, token_type } = (await poll()).body;
    const { jkt } = await proofKey();
    assertEquals([token_type, claimsOf(access_token).cnf.jkt], ["DPoP", jkt]);
  });

  it.withKey("C12 C13 counts no poll without a proof, or with one for another URL or that was used, and it spends nothing", async ({ kit, answer, pollError, pollWithoutProof }) => {
    const used = { claims: { jti: "once" } };
    const foreign = { claims: { htu: "https://evil.example/oauth2/token" } };
    const wrong = [pollWithoutProof, () => pollError(used), () => pollError(foreign)];
    const assertRefused = async () => {
      for (const poll of wrong) assertEquals(await poll(), "invalid_dpop_proof");
    };
    assertEquals(await pollError(used), "authorization_pending");
    kit.clock.advance(5);
    await assertRefused();
    assertEquals(await pollError(), "authorization_pending");
    await answer();
    await assertRefused();
    assertEquals(await pollError(), undefined);
  });

  it("C13 counts no poll that only learns the nonce", async () => {
    const { poll, pollError } = await openBound({ dpopNonces: true });
    const { headers, body } = await poll();
    assertEquals(body.error, "use_dpop_nonce");
    const nonce = headers.get("DPoP-Nonce") ?? "";
    assertEquals(await pollError({ claims: { nonce } }), "authorization_pending");
  });

  it.withKey("C12 revokes everything when the auth_req_id comes with another key", async ({ kit, answer, poll, pollError }) => {
    await answer();
    const { access_token } = (await poll()).body;
    assert(await isActive(kit, access_token, agentHeaders));
    assertEquals(await pollError({}, "ES256 another"), "invalid_grant");
    assertEquals(await isActive(kit, access_token, agentHeaders), false);
  });
});

describe("Requests on the account page (CIBA, section 8)", () => {
  it.inKit("C05 C23 are listed with who asks and the binding_message, which the consent page repeats", async (kit) => {
    await beginCiba(kit, { binding_message: "W4SCT <b>" });
    const browser = kit.browser();
    const consent = textOf((await reviewRequest(kit, {}, browser)).html);
    assertMatch(
      textOf((await browser.open(`${kit.issuer}/account`)).html),
      /Waiting for you .* Demo agent W4SCT <b> It expires in 5 minutes\. Review/,
    );
    assertMatch(consent, /Demo agent.*shows you exactly this: W4SCT <b>.*Deny/);
  });

  it.withRequest("C23 warn of a request without a binding_message", async ({ review }) => {
    assertMatch(
      textOf((await review()).html),
      /did not come from your browser\. Allow it only if you started it yourself, and deny it/,
    );
  });

  it.inKit("C23 are gone once the user has decided, and the page says what follows", async (kit) => {
    const browser = kit.browser();
    await beginCiba(kit);
    assertMatch(
      textOf((await answerCiba(kit, {}, browser)).html),
      /Request allowed Demo agent will continue on its own\. Your account/,
    );
    const account = await browser.open(`${kit.issuer}/account`);
    assert(!account.html.includes("waiting-requests"));
    assertStringIncludes(account.html, "remove-demo-agent");
    // The user is asked each time, even after earlier consent.
    await beginCiba(kit);
    const page = await reviewRequest(kit, {}, browser);
    const denied = await browser.decide(page, "deny");
    assertMatch(textOf(denied.html), /Request denied Demo agent has no access from this request/);
  });

  it.withRequest("C23 are shown to nobody else, and nobody else decides", async ({ kit, review, pollError }) => {
    const account = `${kit.issuer}/account`;
    const [alice, bob] = [kit.browser(), kit.browser()];
    const page = await review(alice);
    await bob.signIn(await bob.open(account), "bob");
    assert(!(await bob.open(account)).html.includes("waiting-requests"));
    // The same interaction, after alice signed out and bob signed in.
    await alice.submit(await alice.open(account), "sign-out");
    await alice.signIn(await alice.open(account), "bob");
    assert(!(await alice.open(page.url)).html.includes('<form id="consent"'));
    assertEquals(await pollError(), "authorization_pending");
  });

  it("C23 tell the client of a cancel on the sign-in page", async () => {
    const kit = openKit({ acrValues: ["one", "two"] });
    const { review, pollError } = await openRequest(kit, { acr_values: "two" });
    const browser = kit.browser();
    await browser.submit(await review(browser), "sign-in", { decision: "cancel" });
    assertEquals(await pollError(), "access_denied");
  });

  it.withRequest("C23 are gone once they expired", async ({ kit, review }) => {
    const browser = kit.browser();
    await review(browser);
    kit.clock.advance(301);
    const account = await browser.open(`${kit.issuer}/account`);
    assert(!account.html.includes("waiting-requests"));
  });
});
