import { assertEquals, assertStringIncludes } from "@std/assert";
import process from "node:process";
import { describe, it } from "node:test";
import { succeed } from "../../../../scripts/child.ts";
import { exchange, openLab, restoreVariables, setForTest, tokenEndpoint } from "./workload_lab.ts";

restoreVariables();

const deno = ["run", "--cached-only", "--allow-all", "--no-check", "--config=tests/once/deno.json"];
const script = "tests/once/features/workloads/get_azure_token.ts";

const services: Record<string, string[]> = {
  "the endpoint of App Service": [],
  "the metadata service of a virtual machine": ["IDENTITY_ENDPOINT", "IDENTITY_HEADER"],
};

describe("@azure/identity", () => {
  for (const [service, without] of Object.entries(services)) {
    it(`gets a token that the lab takes at ${service}, and none for another identity`, async () => {
      await using lab = await openLab("azure");
      for (const name of without) setForTest(name, undefined);
      const nobody = "00000000-0000-4000-8000-000000000000";
      const output = await succeed([
        ...[process.execPath, ...deno, script],
        ...[tokenEndpoint(lab), nobody],
      ]);
      const { token, lifetime, refusal } = JSON.parse(output.trim().split("\n").at(-1) ?? "");
      assertEquals(Math.round(lifetime / 60_000), 60);
      const subject = "workload:azure:22222222-2222-4222-8222-222222222222";
      assertEquals(await exchange(lab, token), subject);
      assertStringIncludes(refusal, "Identity not found");
    });
  }
});
