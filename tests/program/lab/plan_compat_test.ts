import { assertEquals, assertRejects } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { OptionValues } from "../../../src/program/command_line/command.ts";
import { checkPlayable, planCompat } from "../../../src/program/lab/plan_compat.ts";
import type { Environment } from "../../../src/program/terminal/terminal.ts";
import { UsageError } from "../../../src/program/terminal/usage_error.ts";
import { inFolder } from "../../support/folder.ts";

const compat: OptionValues = new Map([["compat", ["mock-oauth2-server"]]]);

function plan(environment: Environment, values: OptionValues = compat) {
  return planCompat({ command: "lab", values }, environment);
}

async function optionsOf(environment: Environment, typed: Record<string, string> = {}) {
  const options = Object.entries(typed).map(([name, value]) => [name, [value]] as const);
  const { invocation } = await plan(environment, new Map([...compat, ...options])) ?? {};
  return Object.fromEntries(
    [...invocation?.values ?? []].filter(([name]) => name !== "compat").map((
      [name, [value]],
    ) => [name, value]),
  );
}

describe("hallpass lab --compat mock-oauth2-server", () => {
  it("is nothing without the option, whatever the environment has", async () => {
    assertEquals(await plan({ JSON_CONFIG: "{", SERVER_PORT: "1" }, new Map()), undefined);
  });

  it("reads the settings of the environment, or of a file", async () => {
    const json = '{"rotateRefreshToken":true}';
    assertEquals((await plan({ JSON_CONFIG: json }))?.config, { rotateRefreshToken: true });
    await inFolder(async (folder) => {
      const path = join(folder, "config.json");
      await writeFile(path, json);
      assertEquals((await plan({ JSON_CONFIG_PATH: path }))?.config, { rotateRefreshToken: true });
      const missing = () => plan({ JSON_CONFIG_PATH: join(folder, "none.json") });
      await assertRejects(missing, UsageError, "cannot be read");
    });
    assertEquals((await plan({}))?.config, { interactiveLogin: true });
  });

  const listening: ReadonlyArray<
    [environment: Environment, typed: Record<string, string>, options: Record<string, string>]
  > = [
    [{}, {}, { port: "8080" }],
    [{ SERVER_PORT: "1234" }, {}, { port: "1234" }],
    [{ PORT: "5678" }, { port: "5678" }, { port: "5678" }],
    [{ SERVER_PORT: "1234", PORT: "5678" }, { port: "5678" }, { port: "1234" }],
    [{ SERVER_PORT: "1234" }, { port: "0" }, { port: "0" }],
    [{ SERVER_HOSTNAME: "0.0.0.0" }, {}, { host: "0.0.0.0", port: "8080" }],
    [{ SERVER_HOSTNAME: "0.0.0.0" }, { host: "::1" }, { host: "::1", port: "8080" }],
    [{ JSON_CONFIG: '{"httpServer":{"ssl":{}}}' }, {}, { port: "8080", tls: "yes" }],
  ];
  for (const [environment, typed, options] of listening) {
    it(`listens as ${JSON.stringify(environment)} and ${JSON.stringify(typed)} say`, async () => {
      assertEquals(await optionsOf(environment, typed), options);
    });
  }

  it("reads the sign-in page and the files below /static", async () => {
    await inFolder(async (folder) => {
      await mkdir(join(folder, "static/css"), { recursive: true });
      await writeFile(join(folder, "static/css/app.css"), "a{}");
      await writeFile(join(folder, "login.html"), "<form method=post>");
      const config = {
        loginPagePath: join(folder, "login.html"),
        staticAssetsPath: join(folder, "static"),
      };
      const { files } = await plan({ JSON_CONFIG: JSON.stringify(config) }) ?? {};
      assertEquals(files?.loginPage, "<form method=post>");
      assertEquals([...files?.assets ?? []].map(([path, { type }]) => [path, type]), [
        ["css/app.css", "text/css; charset=utf-8"],
      ]);
    });
  });

  it("refuses what it cannot do, with the reason", async () => {
    const refused: ReadonlyArray<[environment: Environment, reason: string]> = [
      [{ JSON_CONFIG: "{" }, "JSON_CONFIG is not a JSON object"],
      [{ JSON_CONFIG: '{"interactive":true}' }, "interactive"],
      [{ JSON_CONFIG: '{"staticAssetsPath":"/none"}' }, "The folder /none cannot be read"],
      [{ SERVER_PORT: "many" }, "SERVER_PORT must be a port"],
    ];
    for (const [environment, reason] of refused) {
      await assertRejects(() => plan(environment), Error, reason);
    }
    const both = new Map([...compat, ["provider", ["google"]] as const]);
    await assertRejects(() => plan({}, both), UsageError, "--compat and --provider");
    const check = async () => checkPlayable({ provider: "google" });
    await assertRejects(check, UsageError, "setting 'provider'");
  });
});
