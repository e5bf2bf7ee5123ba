import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { applyPreset } from "../../../../src/lab/features/providers/apply_preset.ts";
import { providerNames } from "../../../../src/lab/features/providers/config.ts";
import { loadPreset } from "../../../../src/lab/features/providers/presets.ts";
import type { PresetSettings } from "../../../../src/lab/features/providers/presets/preset.ts";
import { configSchema } from "../../../../src/server/features.ts";
import { runCommandLine } from "../../../support/command_line.ts";

/** A configuration that both commands accept without the leniencies. */
const sound = { issuer: "https://id.example", trustedProxies: "loopback" };

/** The port opens when the server is ready, which one that is refused never is. */
async function run(command: string, settings: object) {
  return await runCommandLine([command], {
    HALLPASS_CONFIG_JSON: JSON.stringify({ ...sound, ...settings }),
  });
}

/** What a preset sets beside settings of a server, one at a time, and its name. */
async function leniencies(name: (typeof providerNames)[number]): Promise<object[]> {
  const lenient = Object.entries(applyPreset<PresetSettings>(await loadPreset(name), {}))
    .filter(([setting]) => !Object.hasOwn(configSchema.members, setting));
  assert(lenient.length > 0);
  return [["provider", name] as const, ...lenient].map((entry) => Object.fromEntries([entry]));
}

describe("The leniencies of every preset", () => {
  it("would be the only reason to refuse the configuration", async () => {
    assertEquals((await run("check", {})).code, 0);
  });

  for (const command of ["serve", "check"]) {
    for (const name of providerNames) {
      it(`are refused by name by hallpass ${command}: ${name}`, async () => {
        for (const settings of await leniencies(name)) {
          const [setting] = Object.keys(settings);
          const { code, output } = await run(command, settings);
          assertEquals(code, 2, output);
          assertMatch(output.replaceAll(/\s+/g, " "), new RegExp(`does not accept '${setting}'`));
        }
      });
    }

    it(`are refused by hallpass ${command} together as well`, async () => {
      const { code } = await run(
        command,
        applyPreset<PresetSettings>(await loadPreset("github"), {}),
      );
      assertEquals(code, 2);
    });
  }
});
