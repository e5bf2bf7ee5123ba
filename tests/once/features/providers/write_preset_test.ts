import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdirSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { runCommand } from "../../../../scripts/child.ts";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import { presetOf } from "../../../examples/write_preset.ts";
import {
  differingMembers,
  readPublishedMetadata,
} from "../../../lab/features/providers/published_metadata.ts";
import { inFolder } from "../../../support/folder.ts";

const timeout = 60_000;
const issuer = "https://id.acme.example";
const url = `${issuer}/.well-known/openid-configuration`;
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/connect/authorize`,
  token_endpoint: "https://api.acme.example/connect/token",
  jwks_uri: `${issuer}/connect/keys`,
  scopes_supported: ["openid", "read:all"],
};
const stored = readdirSync("tests/lab/features/providers/metadata").map((file) =>
  file.replace(".json", "")
);

/** Returns the metadata of a lab that plays a preset. */
async function publishedBy(document: Record<string, unknown>) {
  await using lab = await hallpass({ provider: presetOf(document, url, "2026-11-24") });
  const response = await lab.fetch(
    `${new URL(lab.issuer).origin}/.well-known/openid-configuration`,
  );
  return { issuer: lab.issuer, body: await response.json() };
}

describe("write_preset.ts of the examples", () => {
  it("has at most 150 lines", async () => {
    const lines = (await readFile("tests/examples/write_preset.ts", "utf8")).trim().split("\n");
    assert(lines.length <= 150, String(lines.length));
  });

  for (const name of stored) {
    it(`makes a preset that publishes the stored metadata of ${name}`, async () => {
      const published = readPublishedMetadata(name);
      const source = published.source.split(",")[0] ?? "";
      const preset = presetOf(published.document, source, published.date);
      await using lab = await hallpass({ provider: preset });
      const played = await lab.fetch(new URL(lab.issuer).origin + new URL(source).pathname);
      const differing = differingMembers(published, await played.json());
      const leftOut = preset.missing.map((each) => / member (\w+) /.exec(each)?.[1]);
      assertEquals(differing.filter((member) => !leftOut.includes(member)), []);
    });
  }

  it("has a path and a placeholder in its issuer where the provider has them", async () => {
    const given = `${issuer}/{tenant}/v2`;
    assertEquals(
      (await publishedBy({ ...metadata, issuer: given })).issuer.slice(-10),
      "/tenant/v2",
    );
  });

  it("takes over no member that no specification knows, and lists it", async () => {
    const secrets = { api_key: "S3cret", internal: { token: "S3cret" }, x_supported: [{ a: 1 }] };
    const preset = presetOf({ ...metadata, ...secrets }, url, "2026-11-24");
    assert(!/S3cret|"a":1/.test(JSON.stringify(preset)));
    for (const name of Object.keys(secrets)) assertMatch(preset.missing.join(), new RegExp(name));
  });

  it("writes a file, and none that exists already", async () => {
    await inFolder(async (folder) => {
      const [given, file] = [join(folder, "given.json"), join(folder, "acme.json")];
      await writeFile(given, JSON.stringify(metadata));
      const script = resolve("tests/examples/write_preset.ts");
      const command = [process.execPath, "run", "--allow-all", script, given, file];
      const { code, output } = await runCommand(command, { timeout });
      assertEquals(code, 0, output);
      const preset = JSON.parse(await readFile(file, "utf8"));
      await using lab = await hallpass({ provider: preset });
      const played = await (await lab.fetch(url.replace(issuer, lab.issuer))).json();
      assertEquals(played.token_endpoint, `${lab.issuer}/connect/token`);
      assertEquals((await runCommand(command, { timeout })).code, 1);
    });
  });
});
