import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { runCommandLine } from "../support/command_line.ts";

const sound = {
  issuer: "https://id.example",
  trustedProxies: "loopback",
  secret: { env: "HALLPASS_SECRET" },
  clients: [{ id: "app", redirectUris: ["https://app.example/callback"] }],
  users: [{ name: "ada" }],
};
const store = ["--store", "sqlite:./a-file-that-does-not-exist.db"];

/** Checks a configuration. Messages go to standard error, which the output has too. */
async function check(config: unknown, ...args: string[]) {
  return await checkIn({}, config, ...args);
}

async function checkIn(variables: Record<string, string>, config: unknown, ...args: string[]) {
  const environment = {
    ...variables,
    HALLPASS_CONFIG_JSON: JSON.stringify(config),
    HALLPASS_SECRET: "a secret of these tests, long enough",
  };
  return await runCommandLine(["check", ...store, ...args], environment);
}

describe("hallpass check", () => {
  it("--strict fails where there is a warning, and not otherwise", async () => {
    const doubtful = { ...sound, trustedProxies: [] };
    assertEquals((await check(sound, "--strict")).code, 0);
    assertEquals((await check(doubtful)).code, 0);
    const { code, output } = await check(doubtful, "--strict");
    assertEquals(code, 1);
    assertMatch(output, /^warning: The issuer uses https, but this process does not\./m);
    assertMatch(output, /^--strict fails because of 1 warning\.$/m);
  });

  it("--strict names the leniency that it fails for", async () => {
    const { code, output } = await check({ ...sound, refreshReuseGrace: "10s" }, "--strict");
    assertEquals(code, 1);
    assertMatch(output, /^ {2}- refreshReuseGrace /m);
    assertMatch(
      output,
      /^--strict fails because of what its leniencies permit: refreshReuseGrace .*\)\.$/m,
    );
  });

  it("--strict names apart what is about an address on this machine", async () => {
    const local = { ...sound, issuer: "http://localhost:9000" };
    const { code, output } = await check(local, "--strict");
    assertEquals(code, 1);
    assertMatch(
      output,
      /^--strict fails because of an address on this machine: issuer uses http \(.*\)\. Nothing else/m,
    );
    const { output: both } = await check({ ...local, refreshReuseGrace: "10s" }, "--strict");
    assertMatch(both, /permit: refreshReuseGrace [^;]*\) and an address on this machine: issuer /);
  });

  it("--json prints what the server would offer, and each warning with its topic", async () => {
    const { code, output } = await check({ ...sound, refreshReuseGrace: "10s" }, "--json");
    assertEquals(code, 0);
    const { valid, issuer, clients, warnings } = JSON.parse(output);
    assertEquals([valid, issuer, clients], [true, "https://id.example", ["app"]]);
    assertEquals(warnings.map(({ about }: { about: string }) => about), ["leniencies"]);
  });

  it("lists what hardened makes stricter, with the clients without PKCE, and does not fail", async () => {
    const redirectUris = ["https://app.example/cb"];
    const secret = "a-secret-of-22-characters";
    const clients = ["web", "wiki"].map((id) => ({ id, secret, redirectUris }));
    const { code, output } = await check({ ...sound, clients }, "--strict");
    assertEquals(code, 0);
    assertMatch(
      output,
      /^Not hardened {2}defaults .*\n {2}- pkce .* 2 clients \(web, wiki\).*--pkce required$/m,
    );
    const settings = [
      ...["pkce", "idTokenClaims", "preferredUsername", "refreshReuseGrace"],
      ...["unknownScopes", "scopes"],
    ];
    const listed = [...output.matchAll(/^ {2}- (\w+) /gm)].map(([, setting]) => setting);
    assertEquals(listed, settings);
    const hardened = await check({ ...sound, clients, hardened: true });
    assertMatch(hardened.output, /^Not hardened +nothing$/m);
  });

  it("says how to check the configuration of a lab", async () => {
    const { code, output } = await check({ ...sound, signIn: "alice" });
    assertEquals(code, 2);
    assertMatch(
      output,
      /does not accept 'signIn', which is for labs only: .*: hallpass lab --port 0 --config FILE$/m,
    );
  });

  const refused: Array<[variables: Record<string, string>, message: RegExp]> = [
    [{ HALLPASS_LOG: "jsn" }, /^HALLPASS_LOG must be one of text, json, off: jsn$/m],
    [{ HALLPASS_LOG_LEVEL: "loud" }, /^HALLPASS_LOG_LEVEL must be one of/m],
    [{ HALLPASS_METRICS_PORT: "abc" }, /^HALLPASS_METRICS_PORT must be a port/m],
    [{ HALLPASS_METRICS_HOST: "::" }, /^--metrics-host needs --metrics-port N\.$/m],
    [{ HALLPASS_MTLS_HOST: "::" }, /--mtls-host needs --mtls-port N\.$/m],
  ];
  for (const [variables, message] of refused) {
    it(`refuses what serve refuses: ${JSON.stringify(variables)}`, async () => {
      const { code, output } = await checkIn(variables, sound);
      assertEquals(code, 2);
      assertMatch(output, message);
    });
  }

  for (const settings of [{ port: "none" }, { insecure: { httpIssuer: true } }]) {
    it(`P12: reports every problem beside ${JSON.stringify(settings)}`, async () => {
      const { code, output } = await check({ ...sound, ...settings, clients: [{ id: 5 }] });
      assertEquals(code, 2);
      assertMatch(
        output,
        /^The configuration is not valid: 2 problems\n(?: {2}- .*\n)* {2}- clients\[0\]\.id must be/m,
      );
    });
  }

  it("--json prints the problems, and fails", async () => {
    const { code, output } = await check({ ...sound, clients: [{ id: 5 }] }, "--json");
    assertEquals(code, 2);
    assertMatch(output, /"valid": false,\n {2}"problems": \[\n {4}"clients\[0\]\.id must be/);
  });
});
