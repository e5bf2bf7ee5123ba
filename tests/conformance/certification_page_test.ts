import { assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Config } from "../../src/server/features.ts";
import { certificationBlocks, certificationPage } from "../support/certification.ts";
import { runCommandLine } from "../support/command_line.ts";
import { inFolder } from "../support/folder.ts";
import { basic, claimsOf, type Kit, openStrictKit, read } from "../support/kit.ts";
import { sendJson } from "../support/registration.ts";
import { hasFeature } from "../support/where_feature.ts";

const blocks = certificationBlocks("json").map((code) => JSON.parse(code));
const configs = blocks.filter((block) => "issuer" in block);
const suites = blocks.filter((block) => "alias" in block);
const password = "correct horse battery staple";

function open({ trustedProxies: _, ...config }: Config): Kit {
  const fetchUntrusted = () => Promise.reject(new Error("This test fetches nothing."));
  return openStrictKit({ ...config, fetchUntrusted });
}

/** What the page is about. */
const features = [
  ...["registration", "request objects by reference", "mutual TLS"],
  ...["logout", "front-channel logout", "back-channel logout"],
];
const skip = !features.every((name) => hasFeature(name));

describe("The page about certification", () => {
  for (const [at, config] of configs.entries()) {
    it(
      `has a configuration that check accepts and that starts: ${Object.keys(config)}`,
      { skip },
      async () => {
        await inFolder(async (folder) => {
          const file = join(folder, "hallpass.json");
          await writeFile(file, JSON.stringify(config));
          const { code, output } = await runCommandLine(["check", "--config", file]);
          assertEquals(code, 0, output);
        });
        const kit = open(config);
        await kit.server.ready();
        const { text } = await read(await kit.get("/.well-known/openid-configuration"));
        const { discoveryUrl } = suites[at].server;
        assertEquals(`${JSON.parse(text).issuer}/.well-known/openid-configuration`, discoveryUrl);
      },
    );
  }

  it("has the clients of the suite, whose requests have a nonce of ten characters and no PKCE", {
    skip,
  }, async () => {
    const [config] = configs;
    const kit = open(config);
    const parties = ["client", "client2", "client_secret_post"].map((name) => suites[0][name]);
    for (const { client_id, client_secret } of parties) {
      const { redirectUris: [redirect_uri] } = config.clients.find(({ id }: { id: string }) =>
        id === client_id
      );
      const scope = "openid profile email address phone";
      const pkce = { code_challenge: undefined, code_challenge_method: undefined };
      const fields = {
        client_id,
        redirect_uri,
        scope,
        nonce: "abcdefghij",
        acr_values: "password",
      };
      const code = await kit.code({ ...fields, ...pkce }, { user: "alice", password });
      const { body } = await kit.redeem(
        code,
        { client_id: undefined, redirect_uri, code_verifier: undefined },
        basic(client_id, client_secret),
      );
      const claims = claimsOf(body.id_token);
      assertEquals([claims.acr, claims.email, claims.nonce], ["password", undefined, fields.nonce]);
      const userinfo = (await kit.userinfo(body.access_token)).body;
      const { claims: expected } = config.users[0];
      assertEquals(userinfo, { ...userinfo, ...expected });
    }
  });

  it(
    "lets the suite register, with the initial access token of its configuration",
    { skip },
    async () => {
      const { initial_access_token } = suites[1].client;
      const metadata = { redirect_uris: ["https://suite.example/cb"] };
      const url = `${configs[1].issuer}/oauth2/register`;
      const kit = open(configs[1]);
      assertEquals((await sendJson(kit, "POST", url, metadata, initial_access_token)).status, 201);
      assertEquals((await sendJson(kit, "POST", url, metadata)).status, 401);
    },
  );

  it("names the plans whose modules tests run, and no others", { skip }, () => {
    const plan = /\b(?:oidcc|fapi2?)-[a-z0-9-]+-test-plan\b/g;
    const files = readdirSync("tests", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"));
    const tested = files.flatMap((file) =>
      readFileSync(join("tests", file), "utf8").match(plan) ?? []
    );
    const named = certificationPage.match(plan) ?? [];
    assertEquals([...new Set(named)].sort(), [...new Set(tested)].sort());
  });
});
