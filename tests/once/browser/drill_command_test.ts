import { assert, assertEquals, assertMatch } from "@std/assert";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import deno from "../../../deno.json" with { type: "json" };
import { runTool } from "../../../src/program/processes/child_process.ts";
import { serve } from "../../../src/runtime/serve.ts";
import { chromium } from "../../support/chromium.ts";
import { eventually } from "../../support/eventually.ts";
import { openFolder } from "../../support/folder.ts";
import { findFreePort } from "../../support/free_port.ts";
import { commandFor, type LaunchedProgram, launchProgram } from "../../support/program.ts";
import { casesOfToday } from "../../support/turn.ts";
import { scriptedPage } from "./scripted_page.ts";

const skip = chromium === undefined && "there is no Chromium";

/** How a drill is ended: each takes half a minute, so a release has one on each day. */
const ends = casesOfToday(["by Ctrl-C", "by force"]);

/** Has Playwright, as a project that installed it. */
const project = resolve("tests/once");

/** Serves a page that scripts make, for a lab on a free port. */
async function openApplication() {
  const opened = await openFolder();
  const port = await findFreePort();
  let page = "";
  const server = await serve({
    fetch: async () => new Response(page, { headers: { "Content-Type": "text/html" } }),
  }, { port: 0 });
  const origin = `http://localhost:${server.port}`;
  page = scriptedPage({ issuer: `http://localhost:${port}`, origin, client: "demo-spa" });
  const temporary = opened.folder;
  return {
    temporary,
    port,
    /** Starts the command in a folder, with a place for temporary files that only it uses. */
    drill: (folder: string, ...more: string[]) =>
      launchProgram(
        [
          ...["drill", "app", `${origin}/`, "--browser", "--port", `${port}`],
          ...["--redirect-uri", `${origin}/`, ...more],
        ],
        [
          "sh",
          "-c",
          `cd ${folder} && TMPDIR=${temporary} exec "$@"`,
          "sh",
          ...commandFor(resolve("src/main.ts"), deno.tasks.drill.command)
            .flatMap((word) => word === "run" ? [word, "--config", resolve("deno.json")] : [word]),
        ],
      ),
    profiles: async () => (await readdir(temporary)).filter((name) => name.includes("browser")),
    async [Symbol.asyncDispose]() {
      await server.close();
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** Waits until no browser has its profile in a folder. */
async function noBrowserIn(folder: string): Promise<void> {
  await eventually(async () => {
    const processes = await runTool("ps", "-A", "-o", "stat=,args=") ?? "";
    const left = processes.split("\n").filter((line) => !line.startsWith("Z"))
      .filter((line) => line.includes(`--user-data-dir=${folder}`));
    assertEquals(left, []);
  });
}

/** Waits until a program has printed something. */
async function begins(program: LaunchedProgram, pattern: RegExp): Promise<void> {
  const end = program.exitCode.then(() => Promise.reject(new Error(program.output())));
  await Promise.race([program.line(pattern), end]);
}

describe("hallpass drill app --browser", () => {
  it("drills a page made by scripts, and leaves no browser and no profile", { skip }, async () => {
    await using app = await openApplication();
    const { exitCode, output } = app.drill(project, "--only", "callback.wrong_state");
    assertEquals(await exitCode, 0, output());
    assertMatch(output(), /^1\/1 callback\.wrong_state: refused$/m);
    assertMatch(output(), /^\d+ logins in the browser, \d+ ms each\.$/m);
    assertEquals(await app.profiles(), []);
    await noBrowserIn(app.temporary);
  });

  if (ends.includes("by Ctrl-C")) {
    it("leaves neither after Ctrl-C, and prints what it found", { skip }, async () => {
      await using app = await openApplication();
      const rows = ["callback.wrong_state", "id_token.wrong_iss", "id_token.wrong_aud"];
      const program = app.drill(project, ...rows.flatMap((row) => ["--only", row]));
      await begins(program, /^(1)\/\d+ /m);
      program.kill("SIGINT");
      assertEquals(await program.exitCode, 130, program.output());
      assertMatch(program.output(), /^It was stopped after /m);
      assertEquals(await app.profiles(), []);
      await noBrowserIn(app.temporary);
    });
  }

  if (ends.includes("by force")) {
    it("leaves no browser when it is killed, and the next one deletes the profile", {
      skip,
    }, async () => {
      await using app = await openApplication();
      const killed = app.drill(project);
      await begins(killed, /^(First without a fault)/m);
      killed.kill("SIGKILL");
      await killed.exitCode;
      await noBrowserIn(app.temporary);
      assertEquals((await app.profiles()).length, 1);
      await mkdir(join(app.temporary, `hallpass-browser-${process.pid}-running`));
      const next = app.drill(project, "--only", "callback.wrong_state");
      assertEquals(await next.exitCode, 0, next.output());
      assertEquals(await app.profiles(), [`hallpass-browser-${process.pid}-running`]);
    });
  }

  it("names what is missing, and starts no lab: exit code 2", async () => {
    await using app = await openApplication();
    const empty = app.drill(app.temporary);
    assertEquals(await empty.exitCode, 2);
    assertMatch(
      empty.output(),
      /this folder has no playwright-core: npm i -D playwright-core, and/,
    );
    assert(!empty.output().includes("Started a lab"));
    const module = join(app.temporary, "node_modules", "playwright-core");
    await mkdir(module, { recursive: true });
    await writeFile(
      join(module, "index.js"),
      `exports.chromium = { executablePath: () => "/none", launch: async ({ channel }) => {
        throw new Error(channel ? "Chromium distribution is not found at /none" : "It crashed");
      } };`,
    );
    const crashed = app.drill(app.temporary);
    assertEquals(await crashed.exitCode, 2);
    assertMatch(crashed.output(), /The browser did not start: It crashed|has no Chromium/);
  });

  it("needs its own lab: it says so where something listens, and opens no browser there", {
    skip,
  }, async () => {
    await using app = await openApplication();
    const lab = await serve({ fetch: async () => new Response() }, { port: app.port });
    const { exitCode, output } = app.drill(project);
    assertEquals(await exitCode, 2);
    await lab.close();
    assertMatch(
      output(),
      /starts its own lab, and something runs at http:\/\/localhost:\d+ already/,
    );
    assertEquals(await app.profiles(), []);
  });
});
