import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import { hallpass, type TestLab } from "../../src/lab/testing/mod.ts";
import { itWith } from "../support/it_with.ts";
import { authorizationUrl } from "../support/login.ts";
import { testClient } from "../support/test_client.ts";
import { needs } from "../support/where_feature.ts";

const it = itWith({
  inLab: () => hallpass(),
  inLabWithReport: { ...needs("report"), open: () => hallpass() },
});

/** Calls a lab as a helper does that prints what it gets. */
async function callForText(
  lab: TestLab,
  operation: string,
  { body, accept = "text/plain" }: { body?: object; accept?: string } = {},
) {
  const [method = "", path = ""] = operation.split(" ");
  const response = await lab.fetch(`${lab.issuer}/lab${path}`, {
    method,
    headers: { Accept: accept, "Content-Type": "application/json" },
    ...body && { body: JSON.stringify(body) },
  });
  const type = response.headers.get("Content-Type") ?? "";
  return { status: response.status, type, text: await response.text() };
}

/** Sends a code without its verifier, which the lab refuses. */
async function redeemWithoutVerifier(lab: TestLab): Promise<void> {
  const { code = "" } = await lab.authorize(authorizationUrl(lab), { user: "alice" });
  await testClient().redeem(lab, code, { redirect_uri: undefined, code_verifier: undefined });
}

describe("A lab as lines of text, for helpers in any language", () => {
  it.inLabWithReport("explains a refusal by its rule, its request, its fix and its flow: POST /assert-clean", async (lab) => {
    await redeemWithoutVerifier(lab);
    const { status, type, text } = await callForText(lab, "POST /assert-clean", {
      body: { refused: true },
    });
    assertEquals([status, type], [400, "text/plain; charset=utf-8"]);
    assertMatch(text, /^refused \S+ \(client demo-spa\): invalid_request/);
    assertMatch(text, /\n {2}At POST \/oauth2\/token, request \d+\./);
    assertMatch(text, /✗ 400 invalid_request: /);
  });

  it.inLab("is silent about a clean report", needs("report"), async (lab) => {
    assertEquals((await callForText(lab, "POST /assert-clean")).status, 200);
  });

  it.inLab("draws a flow, and the newest flows", async (lab) => {
    for (let flow = 1; flow <= 4; flow++) {
      await lab.authorize(authorizationUrl(lab), { user: "alice" });
    }
    const one = await callForText(lab, "GET /flows/flow-4");
    assertMatch(one.text, /^flow-4 · demo-spa · Code issued\n/);
    const all = await callForText(lab, "GET /flows");
    assertEquals(all.text.match(/^flow-\d/gm), ["flow-2", "flow-3", "flow-4"]);
    assertEquals([one.status, all.status], [200, 200]);
  });

  it.inLab("explains every error of its interface", async (lab) => {
    const { status, text } = await callForText(lab, "PUT /users/zoe", { body: { nam: "zoe" } });
    assertEquals(status, 400);
    assertMatch(text, /did you mean 'name'/i);
    assert(!text.startsWith("{"));
    assertEquals((await callForText(lab, "GET /flows/flow-9")).status, 404);
  });

  it.inLab("remains JSON for programs that take it", async (lab) => {
    await lab.authorize(authorizationUrl(lab), { user: "alice" });
    const accept = "application/json, text/plain;q=0.5";
    const { type, text } = await callForText(lab, "GET /flows/flow-1", { accept });
    assertEquals([type, JSON.parse(text).id], ["application/json", "flow-1"]);
  });

  it.inLab("lets no line break of a client forge a line", needs("report"), async (lab) => {
    await testClient().token(lab, { grant_type: "x", client_id: "a\nrefused forged" });
    const { text } = await callForText(lab, "POST /assert-clean", { body: { refused: true } });
    assert(!/^refused forged/m.test(text), text);
  });
});
