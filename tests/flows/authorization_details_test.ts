import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { textOf } from "../support/browser.ts";
import { itWith } from "../support/it_with.ts";
import { basic, claimsOf, type Fields, type Kit, openKit, service } from "../support/kit.ts";
import { present } from "../support/present.ts";
import { hasFeature } from "../support/where_feature.ts";

const it = itWith({ withKit: () => openKit() });

const invalid = "invalid_authorization_details";
const grant = { grant_type: "client_credentials" };

const payment = {
  type: "payment_initiation",
  instructedAmount: { currency: "EUR", amount: "12.30" },
  creditorName: "Shop <b>&</b> Sons",
};
const files = { type: "file_access", actions: ["read", "write"], path: "/photos", recursive: true };
const authorization_details = JSON.stringify([payment, files]);
const onlyFiles = JSON.stringify([files]);

describe("Authorization details (RFC 9396)", () => {
  it("are advertised, if there are any (section 10)", async () => {
    const typesOf = (kit: Kit) =>
      kit.server.context.metadata().authorization_details_types_supported;
    assertEquals(typesOf(openKit()), ["payment_initiation", "file_access"]);
    assertEquals(typesOf(openKit({ authorizationDetails: {} })), undefined);
  });

  it.withKit("are in the response, the access token and the introspection response (sections 7 and 9)", async (kit) => {
    const tokens = (await kit.redeem(await kit.code({ authorization_details }))).body;
    assertEquals(tokens.authorization_details, [payment, files]);
    assertEquals(claimsOf(tokens.access_token).authorization_details, [payment, files]);
    if (!hasFeature("introspection")) return;
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const { body } = await kit.introspect(token, {}, service);
      assertEquals(body.authorization_details, [payment, files]);
    }
  });

  it.withKit("stay after a refresh, and can be narrowed for one token alone (section 6)", async (kit) => {
    const first = await kit.tokens({ authorization_details });
    const refresh = async (refresh_token: string, changes: Fields = {}) =>
      (await kit.refresh(refresh_token, changes)).body;
    const narrowed = await refresh(first.refresh_token, { authorization_details: onlyFiles });
    assertEquals(narrowed.authorization_details, [files]);
    assertEquals(claimsOf(narrowed.access_token).authorization_details, [files]);
    assertEquals((await refresh(narrowed.refresh_token)).authorization_details, [payment, files]);
  });

  it.withKit("are narrowed, never widened, when the code is redeemed, and the code survives", async (kit) => {
    const code = await kit.code({ authorization_details });
    const redeem = async (...details: object[]) =>
      (await kit.redeem(code, { authorization_details: JSON.stringify(details) })).body;
    const more = { ...payment, instructedAmount: { currency: "EUR", amount: "1230" } };
    assertEquals((await redeem(more)).error, invalid);
    assertEquals((await redeem(payment)).authorization_details, [payment]);
  });

  it("are absent from the response to a request that had none", async () => {
    const tokens = await openKit().tokens();
    assertEquals("authorization_details" in tokens, false);
    assertEquals("authorization_details" in claimsOf(tokens.access_token), false);
  });

  it.withKit("bring no default scope with them (section 3.1)", async (kit) => {
    const { body } = await kit.token({ ...grant, authorization_details }, service);
    assertEquals(body.authorization_details, [payment, files]);
    assertEquals("scope" in body, false);
    assertEquals(claimsOf(body.access_token).scope, "");
    const tokens = await kit.tokens({ authorization_details, scope: undefined });
    assertEquals(["scope" in tokens, "id_token" in tokens], [false, false]);
  });

  const wrong: Record<string, object> = {
    "an unknown type": [{ type: "loan" }],
    "an unknown member": [{ ...files, extra: "x" }],
    "no list": files,
  };
  for (const [what, details] of Object.entries(wrong)) {
    it.withKit(`are refused with invalid_authorization_details where they are ${what}, with a redirect and at the token endpoint`, async (kit) => {
      const asked = { authorization_details: JSON.stringify(details) };
      const callback = await kit.authorize(asked);
      assertEquals([callback.get("error"), callback.get("state")], [invalid, "a-state"]);
      const { status, body } = await kit.token({ ...grant, ...asked }, service);
      assertEquals([status, body.error], [400, invalid]);
    });
  }

  it("are refused where they come twice, and where this client may not ask for them", async () => {
    const client = { id: "app", secret: "s", authorizationDetailsTypes: ["file_access"] };
    const kit = openKit({ clients: [{ ...client, grantTypes: ["client_credentials"] }] });
    const ask = async (details: string | string[]) =>
      (await kit.token({ ...grant, authorization_details: details }, basic("app", "s"))).body;
    const twice = [authorization_details, authorization_details];
    assertEquals((await ask(twice)).error, "invalid_request");
    assertEquals((await ask(authorization_details)).error, invalid);
    assertEquals((await ask(onlyFiles)).authorization_details, [files]);
  });

  it("are refused where the server knows no types", async () => {
    const kit = openKit({ authorizationDetails: undefined });
    assertEquals((await kit.authorize({ authorization_details })).get("error"), invalid);
  });
});

describe("The consent page for authorization details", () => {
  it.withKit("shows what is requested, member by member, and as text (A39)", async (kit) => {
    const browser = kit.browser();
    const signIn = await browser.open(kit.authorizationUrl({ authorization_details }));
    const page = await browser.signIn(signIn);
    assertStringIncludes(
      textOf(page.html),
      "Make a payment instructedAmount.currency EUR instructedAmount.amount 12.30 creditorName Shop <b>&</b> Sons " +
        "Use your files actions read write path /photos recursive true",
    );
    assert(!page.html.includes("<b>"));
    // L6: joined by a comma, one entry could pass for two.
    assertStringIncludes(page.html, "<dd><bdi>read</bdi></dd><dd><bdi>write</bdi></dd>");
  });

  it("grants nothing of a type that the client has lost in the meantime", async () => {
    const { clients: configured } = openKit().server.context.settings;
    const client = present(await configured.get("demo-spa"));
    const kit = openKit({ clients: [] });
    const { clients } = kit.server.context.records;
    const keep = (authorizationDetailsTypes: string[]) =>
      clients.put(client.id, { ...client, authorizationDetailsTypes }, 8.64e15);
    await keep(["payment_initiation", "file_access"]);
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl({ authorization_details }));
    const consent = await browser.signIn(page);
    await keep(["file_access"]);
    assertEquals((await browser.decide(consent)).status, 400);
  });

  it.withKit("comes each time: what was allowed once is not allowed twice", async (kit) => {
    const browser = kit.browser();
    await kit.authorize({ authorization_details }, {}, browser);
    const silent = { prompt: "none", scope: "openid profile read" };
    const again = await kit.authorize({ ...silent, authorization_details }, {}, browser);
    assertEquals(again.get("error"), "consent_required");
    assertEquals((await kit.authorize(silent, {}, browser)).get("error"), null);
  });
});

if (hasFeature("token exchange")) {
  describe("Exchanged tokens and authorization details", () => {
    it.withKit("keep them or fewer", async (kit) => {
      const { access_token } = await kit.tokens({ authorization_details, scope: "read" });
      const exchange = async (changes: Fields) =>
        (await kit.token({
          grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
          subject_token: access_token,
          subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
          ...changes,
        }, service)).body;
      assertEquals((await exchange({})).authorization_details, [payment, files]);
      const fewer = await exchange({ authorization_details: onlyFiles });
      assertEquals(fewer.authorization_details, [files]);
      const more = JSON.stringify([{ ...files, path: "/" }]);
      assertEquals((await exchange({ authorization_details: more })).error, invalid);
    });
  });
}
