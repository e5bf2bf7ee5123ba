import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { LabFileConfig } from "../../../../src/program/configuration/program_config.ts";
import { chosenProviders } from "../../../../src/program/features/providers/lab/plan_providers.ts";
import { UsageError } from "../../../../src/program/terminal/exit_code.ts";
import { inFolder } from "../../../support/folder.ts";
import { presetWith } from "../../../support/preset_with.ts";

const preset = presetWith({ audienceParameter: true });

/** Calls a function with a folder that has a preset, and returns its result. */
async function withFile<T>(content: unknown, act: (folder: string) => Promise<T>): Promise<T> {
  return await inFolder(async (folder) => {
    await mkdir(join(folder, "presets"));
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await writeFile(join(folder, "presets", "acme.json"), text);
    return await act(folder);
  });
}

function invocationOf(values: Record<string, string[]>) {
  return { command: "lab", values: new Map(Object.entries(values)) };
}

describe("The providers of hallpass lab", () => {
  it("are names and files of the command line, which win over the configuration", async () => {
    await withFile(preset, async (folder) => {
      const file = join(folder, "presets", "acme.json");
      const one = invocationOf({ provider: [file] });
      assertEquals(await chosenProviders(one, { providers: ["google"] }), {
        provider: preset,
        providers: undefined,
      });
      const several = invocationOf({ provider: ["google", file] });
      assertEquals(await chosenProviders(several, { provider: "github" }), {
        provider: undefined,
        providers: ["google", preset],
      });
    });
  });

  const configured: Array<[lab: LabFileConfig, chosen: LabFileConfig]> = [
    [{}, {}],
    [{ provider: "google" }, { provider: "google" }],
    [{ provider: "presets/acme.json" }, { provider: preset }],
    [{ provider: preset }, { provider: preset }],
    [{ providers: ["entra", "./presets/acme.json"] }, { providers: ["entra", preset] }],
  ];
  for (const [lab, chosen] of configured) {
    it(`are read beside the configuration: ${JSON.stringify(lab).slice(0, 60)}`, async () => {
      await withFile(preset, async (folder) => {
        const invocation = invocationOf({ config: [join(folder, "hallpass.json")] });
        assertEquals(await chosenProviders(invocation, lab), chosen);
      });
    });
  }

  const refused: Array<[content: unknown, problem: RegExp]> = [
    ["no JSON", /acme\.json is not JSON/],
    [{ keys: [] }, /acme\.json cannot be played\. Cannot read the preset: .*facts/],
    [presetWith({ users: [] }), /plays\.users/],
    ["[".repeat(100_000), /is not JSON/],
  ];
  for (const [content, problem] of refused) {
    it(`are no file such as ${JSON.stringify(content).slice(0, 40)}`, async () => {
      await withFile(content, async (folder) => {
        const invocation = invocationOf({ provider: [join(folder, "presets", "acme.json")] });
        const error = await assertRejects(() => chosenProviders(invocation, {}), UsageError);
        assertMatch((error as Error).message, problem);
      });
    });
  }

  it("are no file that is missing", async () => {
    const invocation = invocationOf({ provider: ["missing.json"] });
    await assertRejects(() => chosenProviders(invocation, {}), UsageError, "missing.json cannot");
  });
});
