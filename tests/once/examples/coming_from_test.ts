import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { succeed } from "../../../scripts/child.ts";
import { binary, reasonNotFetched } from "../../../scripts/downloads.ts";
import { installExamples } from "../../support/package.ts";
import { startProgram } from "../../support/program.ts";

const folder = "tests/examples/coming_from";
const unreachable = await reasonNotFetched("tests/examples");

const fixtures = [
  ["oauth2_mock_server.before.ts", "oauth2_mock_server.after.ts"],
  ["oidc_provider.before.ts", "oidc_provider.after.ts"],
  ["msw_handlers.before.ts", "msw_handlers.after.ts"],
  ["mock_oauth2_server.before.json", "mock_oauth2_server.after.json"],
] as const;

/** A request without PKCE, of a client that the configuration does not name. */
const parameters = {
  response_type: "code",
  client_id: "web",
  redirect_uri: "http://localhost:3000/callback",
  scope: "openid",
  state: "a-state",
};

describe("A fixture that moves from another mock server", () => {
  for (const [before, after] of fixtures) {
    it(`is shorter after it: ${after}`, async () => {
      const [old, current] = [await countLines(before), await countLines(after)];
      assert(current < old, `It has ${current} lines, and ${old} before.`);
    });
  }

  it("changes one line to keep the interface of oauth2-mock-server", async () => {
    const read = async (name: string) =>
      (await readFile(join(folder, `oauth2_mock_server.${name}.ts`), "utf8")).split("\n");
    const [before, dropIn] = [await read("before"), await read("drop_in")];
    const changed = dropIn.filter((line, at) => line !== before[at]);
    assertEquals(dropIn.length, before.length);
    assertEquals(changed, ['import { OAuth2Server } from "hallpass/compat/oauth2-mock-server";']);
  });

  it("runs the same tests before and after, and makes the calls that the tables name", {
    skip: unreachable,
  }, async () => {
    const args = ["--test", "coming_from/*.test.ts"];
    const output = await succeed([await binary("node@24"), ...args], await installExamples());
    assertMatch(output, /pass 20\n.*fail 0/);
  });

  it("is a configuration in the environment, in place of mock-oauth2-server's", async () => {
    const config = await readFile(join(folder, "mock_oauth2_server.after.json"), "utf8");
    const issuer = "http://localhost:8080/default";
    const lab = await startProgram(["lab", "--port", "0", "--issuer", issuer], {
      HALLPASS_CONFIG_JSON: config,
    });
    try {
      const { address } = lab;
      const { iss, sub, aud, roles, exp, iat } = decodeJwt(await signIn(address));
      assertEquals([iss, sub, roles], [issuer, "alice", ["admin"]]);
      assertEquals(aud, ["https://api.example", issuer]); // the issuer's is for userinfo
      assertEquals(Number(exp) - Number(iat), 120);
      const { client_id: client, scope } = decodeJwt(await tokenOfClient(address));
      assertEquals([client, scope], ["web", "orders:read"]);
    } finally {
      await lab.stop();
    }
  });
});

async function countLines(file: string): Promise<number> {
  return (await readFile(join(folder, file), "utf8")).trim().split("\n").length;
}

/** Signs in hands-free, and returns the access token. */
async function signIn(address: string): Promise<string> {
  const url = `${address}/authorize?${new URLSearchParams(parameters)}`;
  const { headers, body } = await fetch(url, { redirect: "manual" });
  await body?.cancel();
  const { redirect_uri } = parameters;
  const code = new URL(headers.get("Location") ?? "").searchParams.get("code") ?? "";
  return await requestToken(address, { grant_type: "authorization_code", redirect_uri, code });
}

function tokenOfClient(address: string): Promise<string> {
  return requestToken(address, { grant_type: "client_credentials", scope: "orders:read" });
}

async function requestToken(address: string, form: Record<string, string>): Promise<string> {
  const credentials = { client_id: parameters.client_id, client_secret: "any secret" };
  const body = new URLSearchParams({ ...form, ...credentials });
  const response = await fetch(`${address}/token`, { method: "POST", body });
  return (await response.json()).access_token;
}
