import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { textOf } from "../../support/browser.ts";
import { agent, answerCiba, beginCiba, pollCiba, reviewRequest } from "../../support/ciba.ts";
import { openKit } from "../../support/kit.ts";

describe("Requests on the account page (CIBA, section 8)", () => {
  it("C05 C23 are listed with who asks and the binding_message, which the consent page repeats", async () => {
    const kit = openKit();
    await beginCiba(kit, { binding_message: "W4SCT <b>" });
    const browser = kit.browser();
    const consent = await reviewRequest(kit, {}, browser);
    const account = textOf((await browser.open(`${kit.issuer}/account`)).html);
    assertMatch(
      account,
      /Waiting for you .* Demo agent W4SCT <b> It expires in 5 minutes\. Review/,
    );
    const text = textOf(consent.html);
    assertMatch(text, /Demo agent/);
    assertMatch(text, /shows you exactly this: W4SCT <b>/);
    assertMatch(text, /deny|Deny/);
  });

  it("C23 warn of a request without a binding_message", async () => {
    const kit = openKit();
    await beginCiba(kit);
    assertMatch(
      textOf((await reviewRequest(kit)).html),
      /did not come from your browser\. Allow it only if you started it yourself, and deny it/,
    );
  });

  it("C23 are gone once the user has decided, and the page says what follows", async () => {
    const kit = openKit();
    const browser = kit.browser();
    await beginCiba(kit);
    assertMatch(
      textOf((await answerCiba(kit, {}, browser)).html),
      /Request allowed Demo agent will continue on its own\. Your account/,
    );
    const account = await browser.open(`${kit.issuer}/account`);
    assert(!account.html.includes("waiting-requests"));
    assertStringIncludes(account.html, "remove-demo-agent");
    await beginCiba(kit);
    const denied = await answerCiba(kit, { decision: "deny" }, browser);
    assertMatch(textOf(denied.html), /Request denied Demo agent has no access from this request/);
  });

  it("C23 are asked each time, even after earlier consent", async () => {
    const kit = openKit();
    const browser = kit.browser();
    for (const _ of [1, 2]) {
      await beginCiba(kit);
      assertMatch((await reviewRequest(kit, {}, browser)).html, /<form id="consent"/);
      await answerCiba(kit, {}, browser);
    }
  });

  it("C23 are shown to nobody else, and nobody else decides", async () => {
    const kit = openKit();
    const { body } = await beginCiba(kit);
    const [alice, bob] = [kit.browser(), kit.browser()];
    const page = await reviewRequest(kit, {}, alice);
    await bob.signIn(await bob.open(`${kit.issuer}/account`), "bob");
    const account = await bob.open(`${kit.issuer}/account`);
    assert(!account.html.includes("waiting-requests"));
    // The same interaction, after alice signed out and bob signed in.
    await alice.submit(await alice.open(`${kit.issuer}/account`), "sign-out");
    await alice.signIn(await alice.open(`${kit.issuer}/account`), "bob");
    const again = await alice.open(page.url);
    assert(!again.html.includes('<form id="consent"'));
    assertEquals((await pollCiba(kit, body.auth_req_id)).body.error, "authorization_pending");
  });

  it("C23 count the first decision of two tabs", async () => {
    const kit = openKit();
    const { body } = await beginCiba(kit);
    const [one, other] = [kit.browser(), kit.browser()];
    const [allowing, denying] = [
      await reviewRequest(kit, {}, one),
      await reviewRequest(kit, {}, other),
    ];
    const pages = await Promise.all([
      one.decide(allowing, "allow"),
      other.decide(denying, "deny"),
    ]);
    const late = pages.filter(({ status }) => status === 400);
    assertEquals(late.length, 1);
    assertMatch(textOf(late[0]?.html ?? ""), /already decided about/);
    const allowed = pages[0]?.status === 200;
    assertEquals((await pollCiba(kit, body.auth_req_id)).status, allowed ? 200 : 400);
  });

  it("C23 tell the client of a cancel on the sign-in page", async () => {
    const kit = openKit({ acrValues: ["one", "two"] });
    const { body } = await beginCiba(kit, { acr_values: "two" });
    const browser = kit.browser();
    const page = await reviewRequest(kit, {}, browser);
    await browser.submit(page, "sign-in", { decision: "cancel" });
    assertEquals((await pollCiba(kit, body.auth_req_id)).body.error, "access_denied");
  });

  it("C23 cannot be allowed too late", async () => {
    const kit = openKit({ clients: [agent({ name: "Agent" })] });
    await beginCiba(kit);
    const browser = kit.browser();
    const page = await reviewRequest(kit, {}, browser);
    kit.clock.advance(301);
    const late = await browser.decide(page);
    assertEquals(late.status, 400);
    assertMatch(textOf(late.html), /request has expired/);
    const account = await browser.open(`${kit.issuer}/account`);
    assert(!account.html.includes("waiting-requests"));
  });
});
