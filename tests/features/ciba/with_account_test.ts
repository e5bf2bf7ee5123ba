import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { textOf } from "../../support/browser.ts";
import { answerCiba, beginCiba, openRequest, reviewRequest } from "../../support/ciba.ts";
import { itWith } from "../../support/it_with.ts";
import { openKit } from "../../support/kit.ts";

const it = itWith({ inKit: openKit, withRequest: () => openRequest(openKit()) });

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
