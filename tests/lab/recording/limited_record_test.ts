import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";

/** Sends what any web page can send to a lab, which refuses it. */
async function send(lab: TestLab, path: string, body?: string): Promise<number> {
  const { status } = await lab.fetch(`${lab.issuer}${path}`, {
    ...body !== undefined && { method: "POST", body },
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
  return status;
}

describe("What a lab records of refused requests", () => {
  it("Q8: is the whole body, but no more parameters than the server reads", async () => {
    await using lab = await hallpass();
    const body = "a&".repeat(32_000);
    assertEquals(await send(lab, "/oauth2/token", body), 400);
    const [request] = lab.requests({ path: "/oauth2/token" });
    assertEquals(request?.body, body);
    assertEquals(request?.allParameters.a?.length, 257);
  });

  it("Q8: takes a limited amount of memory", async () => {
    await using lab = await hallpass();
    const body = `grant_type=unknown&x=${"x".repeat(60_000)}`;
    for (let n = 0; n < 1_200; n++) await send(lab, "/oauth2/token", body);
    const kept = lab.requests();
    const length = kept.reduce((sum, { body }) => sum + body.length, 0);
    assert(length > 20_000_000 && length < 64_000_000, `${length} characters are kept`);
    assertEquals(kept.at(-1)?.id, 1_200);
  });

  it("Q8: takes a limited amount of memory in flows, and what they are known by", async () => {
    await using lab = await hallpass();
    const large = "x".repeat(20_000);
    const query = new URLSearchParams({ client_id: large, state: large, nonce: large });
    for (let n = 0; n < 600; n++) await send(lab, `/oauth2/authorize?${query}&n=${n}`);
    const flows = lab.flows();
    assertEquals(flows.at(-1)?.id, "flow-600");
    assert(flows.length > 100 && flows.length < 400, `${flows.length} flows are kept`);
  });
});
