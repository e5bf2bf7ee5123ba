import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdirSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { hallpass, type PresetFile } from "../../../src/lab/testing/mod.ts";
import { runCloneCommand } from "../../../src/program/clone/run_clone_command.ts";
import { exitCodeOf } from "../../../src/program/terminal/exit_code.ts";
import type { OutboundFetch } from "../../../src/server/http/outbound_fetch.ts";
import { runCommandLine, terminalWith } from "../../support/command_line.ts";
import { inFolder } from "../../support/folder.ts";
import { logIn, openProvider } from "../../support/provider_login.ts";
import { differingMembers, readPublishedMetadata } from "../../support/published_metadata.ts";

const issuer = "https://id.acme.example";
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/connect/authorize`,
  token_endpoint: "https://api.acme.example/connect/token",
  jwks_uri: `${issuer}/connect/keys`,
  userinfo_endpoint: `${issuer}/connect/userinfo`,
  scopes_supported: ["openid", "email", "offline_access", "read:all"],
  id_token_signing_alg_values_supported: ["RS256"],
  response_types_supported: ["code", "code id_token"],
  service_documentation: "https://docs.acme.example/oidc",
};
const stored = readdirSync("tests/lab/providers/metadata").map((file) => file.replace(".json", ""));

/** Clones what a file holds, and returns what was printed and the preset. */
async function cloneOf(content: unknown, ...options: string[]) {
  return await inFolder(async (folder) => {
    const [file, output] = [join(folder, "given.json"), join(folder, "out.json")];
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
    const result = await runCommandLine(["clone", file, "--output", output, ...options]);
    const files = (await readdir(folder)).filter((name) => name !== "given.json");
    const text = files.length > 0 ? await readFile(output, "utf8") : "";
    return { ...result, files, text, preset: text && JSON.parse(text) as PresetFile };
  });
}

function presetIn({ preset, output }: { preset: PresetFile | ""; output: string }): PresetFile {
  assert(preset, output);
  return preset;
}

describe("hallpass clone", () => {
  for (const name of stored) {
    it(`makes a preset that publishes the stored metadata of ${name}`, async () => {
      const published = readPublishedMetadata(name);
      const preset = presetIn(await cloneOf(published, "--name", "acme"));
      await using lab = await hallpass({ provider: preset });
      const { pathname } = new URL(published.source.split(",")[0] ?? "");
      const { origin } = new URL(lab.issuer);
      const played = await (await lab.fetch(origin + pathname)).json();
      assertEquals(differingMembers(published, played), []);
      if (played.jwks_uri === undefined) return;
      const { keys } = await (await lab.fetch(played.jwks_uri)).json();
      assert(keys.length > 0, "The key set is where the metadata says");
    });
  }

  it("writes what a lab plays: paths, scopes and metadata, on one host", async () => {
    const preset = presetIn(await cloneOf(metadata));
    assertEquals([preset.name, preset.title], ["acme", "id.acme.example"]);
    await using lab = await openProvider(preset);
    const played = await (await lab.fetch(`${lab.issuer}/.well-known/openid-configuration`)).json();
    assertEquals(played.token_endpoint, `${lab.issuer}/connect/token`);
    assertEquals(played.service_documentation, `${lab.issuer}/oidc`);
    const urls = { authorize: played.authorization_endpoint, token: played.token_endpoint };
    const challenge = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" };
    const refused = await logIn(lab, urls, { scope: "openid" });
    assertEquals(refused.callback.error, "invalid_request");
    const asked = { scope: "openid read:all", ...challenge, code_challenge_method: "S256" };
    assert((await logIn(lab, urls, asked)).callback.code);
    assert(!JSON.stringify(preset.facts).includes("acme.example"), "An address is left");
  });

  it("takes over no member that no specification knows, and lists it", async () => {
    const secrets = {
      ...{ api_key: "sk_live_4f9aS3cret", webhook: "https://id.acme.example/hooks/T0/S3cret" },
      ...{ internal: { token: "S3cret" }, notes: ["S3cret"], pin: 53317, x_supported: "S3cret" },
      ...{ y_supported: [{ key: "S3cret" }], signed_metadata: "S3cret.S3cret.S3cret" },
      ...{ mtls_endpoint_aliases: { token: "S3cret" }, service_documentation: { a: "S3cret" } },
    };
    const own = { beta: true, extra_endpoint: "https://id.acme.example/extra?key=S3cret" };
    const source = "https://id.acme.example/.well-known/openid-configuration?key=S3cret";
    const document = { ...metadata, ...secrets, ...own };
    const { preset, text, output } = await cloneOf({ source, date: "2026-11-22", document });
    assert(!/S3cret|53317/.test(text + output));
    for (const name of Object.keys(secrets)) {
      assertMatch(
        output,
        new RegExp(`Not played\\n(?:.*\\n)*  The member ${name} of the metadata`),
      );
    }
    assert(preset);
    await using lab = await openProvider(preset);
    const played = await (await lab.fetch(`${lab.issuer}/.well-known/openid-configuration`)).json();
    assertEquals([played.beta, played.extra_endpoint], [true, `${lab.issuer}/extra`]);
  });

  it("lists what it could not know, and how to play it", async () => {
    const { code, output, preset } = await cloneOf(metadata);
    assertEquals(code, 0);
    for (const text of [/Not known\n.*lifetime/, /Whether clients with a secret need PKCE/]) {
      assertMatch(output, text);
    }
    assertMatch(output, /Response types beyond code: code id_token\./);
    assertMatch(output, /hallpass lab --provider \S+out\.json/);
    assert(presetIn({ preset, output }).missing.some((each) => each.startsWith("Not known: ")));
    const { missing, facts } = JSON.parse((await cloneOf(metadata, "--json")).output);
    assert(missing.length > 5 && facts.includes("scopes"));
  });

  it("has a path and a placeholder in its issuer where the provider has them", async () => {
    for (
      const [given, played] of [
        ["https://id.acme.example/", "https://hallpass.test/"],
        ["https://id.acme.example/realms/a", "https://hallpass.test/realms/a"],
        ["https://id.acme.example/{tenant}/v2", "https://hallpass.test/tenant/v2"],
      ]
    ) {
      const preset = presetIn(await cloneOf({ ...metadata, issuer: given }));
      await using lab = await hallpass({ provider: preset });
      assertEquals(lab.issuer, played);
    }
  });

  const noMetadata: Array<[content: unknown, problem: RegExp]> = [
    ["<html>", /is not JSON/],
    ["", /is not JSON/],
    ["[]", /is not metadata: it is not a JSON object/],
    [{}, /is not metadata: it has no issuer/],
    [{ issuer: "acme" }, /its issuer is not a URL/],
    [{ issuer: `${issuer}?a=b` }, /has a query or a fragment/],
    [{ ...metadata, issuer: "https://eve:secret@id.example" }, /its issuer has user information/],
    [{ issuer }, /has none of: authorization_endpoint/],
    [{ ...metadata, jwks_uri: 5 }, /its jwks_uri is not a URL/],
    [{ ...metadata, token_endpoint: "/token" }, /its token_endpoint is not a URL/],
    [{ ...metadata, token_endpoint: "javascript:alert(1)" }, /its token_endpoint is not a URL/],
    [{ keys: [] }, /it has no issuer/],
  ];
  for (const [content, problem] of noMetadata) {
    it(`writes nothing for ${JSON.stringify(content).slice(0, 60)}: ${problem}`, async () => {
      const { code, output, files } = await cloneOf(content);
      assertMatch(output, problem);
      assertEquals([code, files], [2, []]);
    });
  }

  const refusedOptions: Array<[options: string[], problem: RegExp]> = [
    [["--name", "google"], /'google', which the lab has a preset of/],
    [["--output", "acme.txt"], /--output must end in \.json/],
    [["--output", "deno.json"], /deno\.json exists already/],
  ];
  for (const [options, problem] of refusedOptions) {
    it(`refuses ${options.join(" ")}`, async () => {
      const { code, output } = await cloneOf(metadata, ...options);
      assertMatch(output, problem);
      assertEquals(code, 2);
    });
  }
});

describe("hallpass clone ISSUER", () => {
  const respond = (status: number, body: unknown, headers = {}): Response =>
    new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });

  async function cloneFrom(address: string, pages: Record<string, () => Response>) {
    const fetched: string[] = [];
    const fetch: OutboundFetch = (url) => {
      fetched.push(url);
      const page = pages[new URL(url).pathname];
      return Promise.resolve(page ? page() : respond(404, "none"));
    };
    return await inFolder(async (folder) => {
      const { terminal, printed } = terminalWith({});
      const values = new Map([["output", [join(folder, "out.json")]]]);
      const invocation = { command: "clone", operand: address, values };
      const code = await runCloneCommand(invocation, terminal, fetch).catch((cause) => {
        printed.push(cause.message);
        return exitCodeOf(cause);
      });
      return { code, output: printed.join("\n"), files: await readdir(folder), fetched };
    });
  }

  it("takes a name without https:// for a file, and says so", async () => {
    const { code, output } = await cloneFrom("id.example.com", {});
    assertMatch(
      output,
      /id\.example\.com cannot be read: .+ If it is an issuer, begin with https:\/\/ or http:/,
    );
    assertEquals(code, 2);
  });

  const openId = "/.well-known/openid-configuration";
  const oauth = "/.well-known/oauth-authorization-server";

  it("reads OpenID Connect Discovery, or else the metadata of OAuth", async () => {
    for (const path of [openId, oauth, `${oauth}/a`]) {
      const address = path.endsWith("/a") ? `${issuer}/a` : issuer;
      const { code, output } = await cloneFrom(address, { [path]: () => respond(200, metadata) });
      assertEquals(code, 0, output);
      assertMatch(output, new RegExp(`from ${issuer}${path} \\(20`));
    }
  });

  const failures: Array<[address: string, page: (() => Response) | undefined, number, RegExp]> = [
    [issuer, undefined, 2, /There is no metadata: .* status 404; /],
    [issuer, () => respond(503, ""), 3, /responds with status 503/],
    [issuer, () => respond(200, "<html>"), 2, /is not metadata: it is not a JSON object/],
    [issuer, () => respond(200, { issuer }), 2, /has none of/],
    [issuer, () => respond(302, "", { Location: "http://127.0.0.1/" }), 2, /a redirect/],
    [issuer, () => respond(200, `"${"a".repeat(600_000)}"`), 2, /larger than \d+ bytes/],
    [
      issuer,
      () => {
        throw new Error("getaddrinfo ENOTFOUND");
      },
      3,
      /does not resolve here/,
    ],
    ["http://id.acme.example", undefined, 2, /must be https/],
  ];
  for (const [address, page, expected, problem] of failures) {
    it(`writes nothing, and ends with ${expected}: ${problem}`, async () => {
      const pages: Record<string, () => Response> = page ? { [openId]: page } : {};
      const { code, output, files } = await cloneFrom(address, pages);
      assertMatch(output, problem);
      assertEquals([code, files], [expected, []]);
    });
  }
});
