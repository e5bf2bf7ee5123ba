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
    assertMatch(output, /pass 19\n.*fail 0/);
  });

  it("is a configuration in the environment, in place of mock-oauth2-server's", async () => {
    const config = await readFile(join(folder, "mock_oauth2_server.after.json"), "utf8");
    const lab = await startProgram(["lab", "--port", "0"], { HALLPASS_CONFIG_JSON: config });
    try {
      const { sub, aud, roles, exp, iat } = decodeJwt(await signIn(lab.issuer));
      assertEquals([sub, roles], ["alice", ["admin"]]);
      assertEquals(aud, ["https://api.example", lab.issuer]); // the issuer's is for userinfo
      assertEquals(Number(exp) - Number(iat), 120);
    } finally {
      await lab.stop();
    }
  });
});

async function countLines(file: string): Promise<number> {
  return (await readFile(join(folder, file), "utf8")).trim().split("\n").length;
}

/** Signs in hands-free, and returns the access token. */
async function signIn(issuer: string): Promise<string> {
  const url = `${issuer}/oauth2/authorize?${new URLSearchParams(parameters)}`;
  const callback = (await fetch(url, { redirect: "manual" })).headers.get("Location") ?? "";
  const { client_id, redirect_uri } = parameters;
  const code = new URL(callback).searchParams.get("code") ?? "";
  const form = { grant_type: "authorization_code", client_id, redirect_uri, code };
  const body = new URLSearchParams({ ...form, client_secret: "any secret" });
  const response = await fetch(`${issuer}/oauth2/token`, { method: "POST", body });
  return (await response.json()).access_token;
}
