import { assertEquals, assertStringIncludes } from "@std/assert";
import process from "node:process";
import { describe, it } from "node:test";
import { succeed } from "../../../../scripts/child.ts";
import type { TestLab } from "../../../../src/lab/testing/mod.ts";
import { exchange, openLab, restoreVariables, setForTest, tokenEndpoint } from "./workload_lab.ts";

restoreVariables();

const deno = ["run", "--cached-only", "--allow-all", "--no-check", "--config=tests/once/deno.json"];
const script = "tests/once/features/workloads/get_azure_token.ts";

/** Gets a token as a program of its own does: the library remembers the service that it found. */
async function getToken(lab: TestLab, clientId: string) {
  const output = await succeed([process.execPath, ...deno, script, tokenEndpoint(lab), clientId]);
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}

const nobody = "00000000-0000-4000-8000-000000000000";

const services: Record<string, string[]> = {
  "the endpoint of App Service": [],
  "the metadata service of a virtual machine": ["IDENTITY_ENDPOINT", "IDENTITY_HEADER"],
};

describe("@azure/identity", () => {
  for (const [service, without] of Object.entries(services)) {
    it(`gets a token that the lab takes at ${service}, and none for another identity`, async () => {
      await using lab = await openLab("azure");
      for (const name of without) setForTest(name, undefined);
      const { token, lifetime, refusal } = await getToken(lab, nobody);
      assertEquals(Math.round(lifetime / 60_000), 60);
      const subject = "workload:azure:22222222-2222-4222-8222-222222222222";
      const title =
        "invalid_request: The metadata service of Azure refuses it: Identity not found.";
      assertEquals(await exchange(lab, token, [title]), subject);
      assertStringIncludes(refusal, "Identity not found");
    });
  }

  it("asks again as long as the metadata service is over its limit, updated, or fails", async () => {
    await using lab = await openLab("azure");
    const failures = ["azure.too_many_requests", "azure.gone", "azure.server_error"] as const;
    const faults = failures.map((name) => lab.fault(name, { times: 1 }));
    assertStringIncludes((await getToken(lab, nobody)).token, "eyJ");
    assertEquals(faults.map(({ fired }) => fired), [1, 1, 1]);
  });
});
