import { assertEquals, assertMatch } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { providerNames } from "../../../src/lab/lab_server/provider_names.ts";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { cloneProvider } from "../../../src/program/clone/clone_provider.ts";
import { runDriftCommand } from "../../../src/program/drift/run_drift_command.ts";
import {
  fetchMetadata,
  type ProviderNetwork,
} from "../../../src/program/metadata/fetch_metadata.ts";
import { terminalWith } from "../../support/command_line.ts";
import { inFolder } from "../../support/folder.ts";

/** Providers that publish no metadata. */
const withoutMetadata = ["discord", "github"];
const date = "2026-11-22";

/** The network in which a lab is the provider. */
function networkOf({ fetch }: TestLab): ProviderNetwork {
  const fetchGiven: ProviderNetwork["fetchGiven"] = (url, init) => fetch(url, init);
  return { fetchGiven, fetchNamed: fetchGiven };
}

async function driftOf(lab: TestLab, preset: string): Promise<[code: number, output: string]> {
  const { terminal, printed } = terminalWith({});
  const invocation = {
    ...{ command: "drift", operand: preset, secondOperand: lab.issuer, values: new Map() },
  };
  const code = await runDriftCommand(invocation, terminal, networkOf(lab));
  return [code, printed.join("\n")];
}

describe("hallpass drift with a lab that plays the provider", () => {
  for (const provider of providerNames.filter((name) => !withoutMetadata.includes(name))) {
    it(`finds no difference to the preset, nor to a clone of the lab: ${provider}`, async () => {
      await using lab = await hallpass({ provider });
      const [code, output] = await driftOf(lab, provider);
      assertMatch(output, new RegExp(`^${provider}: no drift`));
      const metadata = await fetchMetadata(lab.issuer, date, networkOf(lab));
      const clone = cloneProvider({ metadata, name: "acme", date });
      await inFolder(async (folder) => {
        const file = join(folder, "acme.json");
        await writeFile(file, JSON.stringify(clone));
        const [ofClone, printed] = await driftOf(lab, file);
        assertMatch(printed, /^acme: no drift/);
        assertEquals([code, ofClone], [0, 0]);
      });
    });
  }
});
