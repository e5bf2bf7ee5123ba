import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { decodeJwt } from "jose";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { runCommand } from "../../../scripts/child.ts";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { serve } from "../../../src/runtime/serve.ts";
import { authorizationUrl, login } from "../../support/login.ts";
import { present } from "../../support/present.ts";
import { needs } from "../../support/where_feature.ts";

const [head = "", ...parts] = readFileSync("tests/examples/curl/situations.sh", "utf8").trim()
  .split("\n\n");

/** The commands of each situation, by the comment above them. */
const situations = new Map(parts.map((part) => {
  const [title = "", ...commands] = part.split("\n");
  return [title.replace("# ", ""), commands.join("\n")];
}));

/** What is true after the commands of a situation. */
const effects: Record<string, (lab: TestLab, output: string) => Promise<void>> = {
  async "A token, without a login"(_, output) {
    const { sub, tier } = decodeJwt(output.trim());
    assertEquals([sub, tier], ["alice", "gold"]);
  },
  async "Alice signs in at an authorization URL of my application, on the real pages"(lab, output) {
    assertEquals(output.startsWith(`${lab.issuer}/authorized?code=`), true, output);
  },
  async "Alice signs in and out: $SIGN_OUT is the URL that my application redirects her browser to"(
    lab,
    output,
  ) {
    assertEquals(output.trim().split("\n").at(-1), `${lab.issuer}/`);
    assertEquals(await lab.sessions(), []);
  },
  async "Users sign in without a page"(lab) {
    const response = await fetch(authorizationUrl(lab), { redirect: "manual" });
    await response.body?.cancel();
    assertEquals(response.headers.get("Location")?.startsWith(`${lab.issuer}/authorized?`), true);
  },
  async "My user has these roles"(lab) {
    const { tokens, claims } = await login(lab);
    assertEquals([claims.roles, decodeJwt(tokens.access_token).roles], [["admin"], ["admin"]]);
  },
  async "Two hours have passed"(lab) {
    assertEquals(Math.round((lab.clock.now() - Date.now()) / 3_600_000), 2);
  },
  async "The provider is down"(lab) {
    assertEquals(await statusOf(`${lab.issuer}/.well-known/openid-configuration`), 500);
    assertEquals(await statusOf(`${lab.issuer}/oauth2/token`, { method: "POST" }), 500);
  },
  async "The provider is back"(lab) {
    await login(lab);
  },
  async "The key was rotated"(lab) {
    const before = await signingKeyOf(lab);
    await login(lab);
    assertNotEquals(await signingKeyOf(lab), before);
  },
  async "Userinfo rejects the token, twice"(lab) {
    const { access_token } = await lab.mint({ sub: "alice", scope: "openid" });
    const headers = { Authorization: `Bearer ${access_token}` };
    const userinfo = () => statusOf(`${lab.issuer}/oauth2/userinfo`, { headers });
    assertEquals([await userinfo(), await userinfo(), await userinfo()], [401, 401, 200]);
  },
  async "The next test begins"(lab) {
    assertEquals(Math.round((lab.clock.now() - Date.now()) / 3_600_000), 0);
  },
};

/** What was true before, where that is not obvious. */
const preparations: Record<string, (lab: TestLab) => void> = {
  "The provider is back": (lab) => void lab.fault("token.server_error"),
  "The next test begins": (lab) => lab.clock.advance("2h"),
};

async function statusOf(url: string, init?: RequestInit): Promise<number> {
  const response = await fetch(url, init);
  await response.body?.cancel();
  return response.status;
}

async function signingKeyOf(lab: TestLab): Promise<string> {
  const { token } = await lab.mint({ sub: "alice" });
  return token.split(".")[0] ?? "";
}

/** Runs the commands of a situation, and returns what they print. */
async function run(title: string, env: Record<string, string>): Promise<string> {
  const commands = `${head}\n${present(situations.get(title))}`;
  const result = await runCommand(["bash", "-e", "-o", "pipefail", "-c", commands], {
    env,
    timeout: 30_000,
  });
  assertEquals(result.code, 0, result.output);
  return result.output;
}

/** An application that keeps the logout tokens that it gets. */
async function openApplication() {
  const logoutTokens: string[] = [];
  const handle = async (request: Request) => {
    const form = new URLSearchParams(await request.text());
    if (new URL(request.url).pathname !== "/backchannel-logout") {
      return new Response("", { status: 404 });
    }
    logoutTokens.push(form.get("logout_token") ?? "");
    return new Response("");
  };
  const server = await serve({ fetch: handle }, { port: 0 });
  return { server, logoutTokens };
}

const missing = ["curl", "jq"].find((tool) => spawnSync(tool, ["--version"]).status !== 0);
const skip = missing !== undefined && `this machine has no '${missing}'`;

describe("A situation that curl makes", () => {
  for (const [title, check] of Object.entries(effects)) {
    it(title, { skip }, async () => {
      await using lab = await hallpass({ listen: true });
      preparations[title]?.(lab);
      const signOut = { client_id: "demo-spa", post_logout_redirect_uri: `${lab.issuer}/` };
      const SIGN_OUT = `${lab.issuer}/oauth2/logout?${new URLSearchParams(signOut)}`;
      const env = { LAB: `${lab.issuer}/lab`, URL: authorizationUrl(lab), SIGN_OUT };
      await check(lab, await run(title, env));
    });
  }

  const logout = "Back-channel logout: all sessions of Alice end";
  it(logout, { skip }, async () => {
    await using lab = await hallpass({ listen: true });
    const { server, logoutTokens } = await openApplication();
    try {
      await run(logout, { LAB: `${lab.issuer}/lab`, APP: `http://localhost:${server.port}` });
      const { sub, aud, sid } = decodeJwt(present(logoutTokens[0]));
      assertEquals([sub, aud, sid], ["alice", "demo-web", undefined]);
    } finally {
      await server.close();
    }
  });

  const backChannel = "An agent asks Alice over the back channel (CIBA), and she allows it";
  it(backChannel, { skip: skip || needs("ciba").skip }, async () => {
    await using lab = await hallpass({ listen: true });
    const output = await run(backChannel, { ISSUER: lab.issuer });
    assertEquals(decodeJwt(present(output.trim().split("\n").at(-1))).sub, "alice");
  });

  it("is tested for each one in the file", () => {
    const tested = [...Object.keys(effects), logout, backChannel];
    assertEquals([...situations.keys()].sort(), tested.sort());
  });

  it("fails the script if the lab refuses it", { skip }, async () => {
    await using lab = await hallpass({ listen: true });
    const LAB = `${lab.issuer}/nothing`;
    await assertRejects(() => run("Two hours have passed", { LAB }));
  });
});

describe("The lab over HTTP", () => {
  const lines = readFileSync("tests/examples/curl/over_http.sh", "utf8").trim().split("\n");
  for (const line of lines) {
    it(`accepts ${line.replace(/ -H \S+ \S+/, "").slice(0, 80)}`, { skip }, async () => {
      await using lab = await hallpass({ listen: true });
      const command = line.replace("curl", "curl -sS --fail-with-body")
        .replace("localhost:9000/lab", `${lab.issuer}/lab`);
      const result = await runCommand(["bash", "-c", command], { timeout: 30_000 });
      assertEquals(result.code, 0, result.output);
    });
  }
});
