import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { openProviders } from "../../../src/lab/handling/open_providers.ts";
import type { ProviderChoice } from "../../../src/lab/lab_server/preset_file.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import type { Invocation } from "../../../src/program/command_line/command.ts";
import { createTokenKeeper, readTokenFile } from "../../../src/program/lab/program_token.ts";
import { UsageError } from "../../../src/program/terminal/usage_error.ts";
import { inFolder } from "../../support/folder.ts";

const withoutFile: Invocation = { command: "lab", values: new Map() };
const withFile: Invocation = { command: "lab", values: new Map([["token-file", ["a/token"]]]) };

/** Opens a lab as the program does, and keeps its token in a file. */
async function openWithFile(path: string, providers: ProviderChoice[]) {
  const afterReset = createTokenKeeper(path);
  const lab = openLab({ issuer: "http://localhost:9000", providers }, { afterReset });
  await openProviders(lab, { issuer: lab.issuer, providers });
  await afterReset(lab);
  return lab;
}

describe("hallpass lab --token-file", () => {
  it("has an absolute path, with a provider of such tokens among others", async () => {
    for (const provider of ["kubernetes", "github-actions"] as const) {
      assertEquals(await readTokenFile(withFile, { provider }), resolve("a/token"));
      const several = { providers: ["google", provider] as ProviderChoice[] };
      assertEquals(await readTokenFile(withFile, several), resolve("a/token"));
    }
    const dialect = { workloadTokens: { path: "/token", bearer: "b" } };
    assertEquals(await readTokenFile(withFile, { dialect } as never), resolve("a/token"));
    assertEquals(await readTokenFile(withoutFile, {}), undefined);
  });

  const refusals: Array<[played: Parameters<typeof readTokenFile>[1], problem: string]> = [
    [{}, "needs a provider that issues tokens to programs: --provider kubernetes"],
    [{ provider: "google" }, "needs a provider that issues tokens"],
    [{ providers: ["google", "github"] }, "needs a provider that issues tokens"],
    [{ providers: ["kubernetes", "github-actions"] }, "kubernetes, github-actions. Start a lab"],
  ];
  for (const [played, problem] of refusals) {
    it(`is refused with ${JSON.stringify(played)}`, async () => {
      await assertRejects(() => readTokenFile(withFile, played), UsageError, problem);
    });
  }

  it("keeps the token of a tenant, also after a reset, until the lab is closed", async () => {
    await inFolder(async (folder) => {
      const path = join(folder, "token");
      const lab = await openWithFile(path, ["google", "kubernetes"]);
      const first = readFileSync(path, "utf8");
      await lab.reset();
      assertNotEquals(readFileSync(path, "utf8"), first);
      await lab.close();
      assert(!existsSync(path));
    });
  });
});
