import { assertEquals, assertMatch } from "@std/assert";
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { runDriftCommand } from "../../../src/program/drift/run_drift_command.ts";
import { exitCodeOf } from "../../../src/program/terminal/exit_code.ts";
import { presetWith } from "../../support/cloned_preset.ts";
import { runCommandLine, terminalWith } from "../../support/command_line.ts";
import { inFolder } from "../../support/folder.ts";
import { type FakeNetwork, jsonPage, networkOf } from "../../support/provider_network.ts";
import { readPublishedMetadata } from "../../support/published_metadata.ts";

const folderOfCopies = "tests/lab/providers/metadata";
const copyOf = (name: string) => `${folderOfCopies}/${name}.json`;
const stored = readdirSync(folderOfCopies).map((file) => file.replace(".json", ""));
const auth0 = "https://common.auth0.com";
const auth0Metadata = `${auth0}/.well-known/openid-configuration`;
const copy = readPublishedMetadata("auth0");
const { document } = copy;
/** What a tenant publishes that was made after the day of the copy. */
const newDocument = { ...document, end_session_endpoint: `${auth0}/oidc/logout` };
const key = { kty: "RSA", alg: "RS256", use: "sig", kid: "1", n: "a", e: "AQAB" };
const auth0Pages = {
  [auth0Metadata]: jsonPage(newDocument),
  [`${auth0}/.well-known/jwks.json`]: jsonPage({ keys: [key] }),
};

/** Runs the command in a network of the test. */
async function runDrift(network: FakeNetwork, operands: string[], options: string[] = []) {
  const { terminal, printed } = terminalWith({});
  const [operand, secondOperand] = operands;
  const values = new Map(options.map((name) => [name, ["yes"]]));
  const invocation = { command: "drift", operand, secondOperand, values };
  const code = await runDriftCommand(invocation, terminal, network).catch((cause) => {
    printed.push(cause.message);
    return exitCodeOf(cause);
  });
  return { code, output: printed.join("\n") };
}

describe("hallpass drift", () => {
  it("finds nothing, and says at once how much was compared", async () => {
    await inFolder(async (folder) => {
      const file = join(folder, "metadata.json");
      await writeFile(file, JSON.stringify({ ...copy, document: newDocument }));
      const { code, output } = await runCommandLine(["drift", "auth0", file]);
      assertMatch(output, /^auth0: no drift \(https:\/\/common\.auth0\.com\//);
      assertMatch(output, /\nCompared: \d\d members/);
      assertMatch(output, /\nNot compared\n {2}keys: only the metadata was read/);
      assertMatch(output, /auth0\.lifetime: Access tokens last for a day/);
      assertEquals(code, 0);
    });
  });

  it("fails for a difference, with the area, the member and both values", async () => {
    const { code, output } = await runCommandLine(["drift", "okta", copyOf("auth0")]);
    assertMatch(output, /^okta: \d+ differences/);
    assertMatch(
      output,
      /\n {2}endpoints {3}token_endpoint: preset \/oauth2\/default\/v1\/token, provider \/oauth\/token\n/,
    );
    assertMatch(output, /algorithms {2}id_token_signing_alg_values_supported: \+HS256/);
    assertEquals(code, 1);
  });

  it("counts the members that a preset without metadata does not play", async () => {
    const { output } = await runCommandLine(["drift", "keycloak", copyOf("auth0")]);
    assertMatch(output, /^keycloak: \d differences/);
    assertMatch(output, /; the preset does not play \d+ others \(--json\)/);
  });

  it("prints JSON for programs", async () => {
    const { code, output } = await runCommandLine(["drift", "okta", copyOf("auth0"), "--json"]);
    const report = JSON.parse(output);
    assertEquals([code, report.preset, report.drift], [1, "okta", true]);
    assertEquals(report.differences[0].area, "issuer");
    assertEquals(Object.keys(report).sort(), [
      ...["compared", "date", "differences", "drift", "known", "notCompared", "otherOrder"],
      ...["preset", "unplayed", "with"],
    ]);
  });

  it("succeeds if an earlier report has all differences, and fails for a new one", async () => {
    await inFolder(async (folder) => {
      const [known, changed] = [join(folder, "known.json"), join(folder, "changed.json")];
      const { output } = await runCommandLine(["drift", "okta", copyOf("auth0"), "--json"]);
      await writeFile(known, output);
      const again = await runCommandLine(["drift", "okta", copyOf("auth0"), "--known", known]);
      assertMatch(again.output, /^okta: no drift, and \d+ known/);
      assertEquals(again.code, 0);
      await writeFile(changed, JSON.stringify({ ...document, token_endpoint: `${auth0}/new` }));
      const later = await runCommandLine(["drift", "okta", changed, "--known", known]);
      assertMatch(later.output, /^okta: 1 difference, and \d+ known.*\n.*provider \/new\n/);
      assertEquals(later.code, 1);
    });
  });

  it("asks only public hosts where the preset names the metadata", async () => {
    await inFolder(async (folder) => {
      const file = join(folder, "acme.preset.json");
      const inside = "https://10.0.0.1/.well-known/openid-configuration";
      const preset = { ...presetWith({}), sources: { metadata: [inside, "2026-11-22"] } };
      await writeFile(file, JSON.stringify(preset));
      const network = networkOf({});
      await runDrift(network, [file]);
      assertEquals([network.given, network.named], [[], [inside]]);
      await runDrift(network, [file, inside]);
      assertEquals(network.given, [inside]);
    });
  });

  it("does not fail for another order", async () => {
    await inFolder(async (folder) => {
      const file = join(folder, "metadata.json");
      const scopes = [...document.scopes_supported as string[]].reverse();
      await writeFile(file, JSON.stringify({ ...newDocument, scopes_supported: scopes }));
      const { code, output } = await runCommandLine(["drift", "auth0", file]);
      assertMatch(output, /In another order, which has no meaning\n {2}scopes_supported/);
      assertEquals(code, 0);
    });
  });

  for (const name of stored) {
    it(`finds nothing between a clone and what it was made from: ${name}`, async () => {
      await inFolder(async (folder) => {
        const file = join(folder, "acme.json");
        const cloned = ["clone", copyOf(name), "--name", "acme", "--output", file];
        assertEquals((await runCommandLine(cloned)).code, 0);
        const { code, output } = await runCommandLine(["drift", file, copyOf(name)]);
        assertMatch(output, /^acme: no drift/);
        assertEquals(code, 0);
      });
    });
  }
});

describe("hallpass drift with an issuer", () => {
  it("fetches the metadata and the key set", async () => {
    const network = networkOf(auth0Pages);
    const { code, output } = await runDrift(network, ["auth0", auth0]);
    assertMatch(output, /^auth0: no drift .*\d{4}-\d\d-\d\d\)/);
    assertEquals(network.given, [auth0Metadata, `${auth0}/.well-known/jwks.json`]);
    assertEquals(code, 0);
  });

  it("asks where the preset comes from if no issuer is given", async () => {
    const network = networkOf(auth0Pages);
    assertEquals((await runDrift(network, ["auth0"])).code, 0);
    assertEquals(network.given[0], auth0Metadata);
  });

  it("finds keys of another shape", async () => {
    const keys = { keys: [{ ...key, alg: undefined, x5c: ["a"] }] };
    const network = networkOf({
      ...auth0Pages,
      [`${auth0}/.well-known/jwks.json`]: jsonPage(keys),
    });
    const { code, output } = await runDrift(network, ["auth0", auth0]);
    assertMatch(output, /keys {8}keys: types: \+RSA sig, -RSA RS256 sig/);
    assertMatch(output, /keys {8}keys: members: \+x5c/);
    assertEquals(code, 1);
  });

  it("reaches another host that the metadata names only if that is public", async () => {
    const elsewhere = "http://169.254.169.254/keys";
    const named = { ...document, jwks_uri: elsewhere };
    const network = networkOf({ [auth0Metadata]: jsonPage(named) });
    assertEquals((await runDrift(network, ["auth0", auth0])).code, 3);
    assertEquals([network.given, network.named], [[auth0Metadata], [elsewhere]]);
  });

  const failures: Array<[operands: string[], pages: FakeNetwork, code: number, problem: RegExp]> = [
    [["auth0", auth0], networkOf({}), 2, /There is no metadata: /],
    [
      ["auth0", auth0],
      networkOf({ [auth0Metadata]: () => new Response("", { status: 502 }) }),
      3,
      /status 502/,
    ],
    [
      ["auth0", auth0],
      networkOf({ [auth0Metadata]: jsonPage(document) }),
      3,
      /jwks\.json responds with status 404/,
    ],
    [["auth0", "http://id.example"], networkOf({}), 2, /must be https/],
    [["authO", auth0], networkOf(auth0Pages), 2, /There is no provider 'authO'/],
    [["github"], networkOf({}), 2, /The preset github names no metadata/],
    [["missing.json", auth0], networkOf(auth0Pages), 2, /missing\.json cannot be read/],
    [["auth0", "missing.json"], networkOf({}), 2, /missing\.json cannot be read/],
    [[], networkOf({}), 2, /Usage: hallpass drift PRESET ISSUER\|FILE/],
  ];
  for (const [operands, network, expected, problem] of failures) {
    it(`ends with ${expected} for ${operands.join(" ")}: ${problem}`, async () => {
      const { code, output } = await runDrift(network, operands);
      assertMatch(output, problem);
      assertEquals(code, expected);
    });
  }

  it("refuses a third operand", async () => {
    const { code, output } = await runCommandLine(["drift", "auth0", auth0, "more"]);
    assertMatch(output, /no use for 'more'/);
    assertEquals(code, 2);
  });
});
