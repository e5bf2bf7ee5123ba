import { assertEquals, assertMatch } from "@std/assert";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import deno from "../../../deno.json" with { type: "json" };
import { bundle, optionalPackages } from "../../../scripts/bundle.ts";
import { binary } from "../../../scripts/downloads.ts";
import { authority } from "../../support/certificate.ts";
import { inFolder } from "../../support/folder.ts";
import { compileProgram, installPackage } from "../../support/package.ts";
import { commandFor, startProgram } from "../../support/program.ts";
import { openApplication } from "./application.ts";
import {
  type CallApi,
  callOwnApi,
  callServedApi,
  config,
  introspection,
  sendEveryOutboundRequest,
} from "./outbound_flow.ts";

const api = "tests/once/outbound/served_api.ts";
const denoRun = [process.execPath, "run", "--cached-only", "--no-check"];

/** How the program and the API are run, by the name of what they are made of. */
type Commands = Record<string, () => Promise<string[]>>;

/** Our program. It gets the configuration from the environment, so that it may lack files. */
const programs: Commands = {
  "the sources on Deno": async () => commandFor("src/main.ts"),
  "the sources on Deno, as deno task start has them": async () => [
    ...denoRun,
    ...deno.tasks.start.command.split(" ").filter((word) => word.startsWith("--allow-")),
    "src/main.ts",
  ],
  "the sources on Bun": async () => [await binary("bun@1"), "src/main.ts"],
  "the sources on Node": async () => [await binary("node@24"), await bundled("src/main.ts")],
  "the npm package on Bun": async () => [await binary("bun@1"), await packagedProgram()],
  "the npm package on Node": async () => [await binary("node@24"), await packagedProgram()],
  "the binary": async () => [await compileProgram()],
};

/** A server and an API that are made with our library, in one process. */
const libraries: Commands = {
  "the sources on Deno": async () => [...denoRun, "--allow-all", api],
  "the sources on Bun": async () => [await binary("bun@1"), api],
  "the sources on Node": async () => [await binary("node@24"), await bundled(api)],
  "the ES modules of the npm package on Bun": async () => [
    await binary("bun@1"),
    await packagedApi("mjs"),
  ],
  "the ES modules of the npm package on Node": async () => [
    await binary("node@24"),
    await packagedApi("mjs"),
  ],
  "the CommonJS of the npm package on Bun": async () => [
    await binary("bun@1"),
    await packagedApi("cjs"),
  ],
  "the CommonJS of the npm package on Node": async () => [
    await binary("node@24"),
    await packagedApi("cjs"),
  ],
};

/** Node cannot read JSX. */
async function bundled(source: string): Promise<string> {
  const outfile = join(await installPackage(), source.replace(/\.ts$/, ".mjs"));
  bundle({ entryPoints: [source], outfile, external: [...optionalPackages] });
  return outfile;
}

async function packagedProgram(): Promise<string> {
  const folder = join(await installPackage(), "node_modules/hallpass");
  return join(
    folder,
    JSON.parse(await readFile(join(folder, "package.json"), "utf8")).bin.hallpass,
  );
}

/** Writes the API as a program that loads the npm package. */
async function packagedApi(form: "mjs" | "cjs"): Promise<string> {
  const source = (await readFile(api, "utf8"))
    .replace("../../../src/server/mod.ts", "hallpass")
    .replace("../../../src/resource/protected_resource.ts", "hallpass/resource")
    .replace("../../../src/runtime/serve.ts", "hallpass/serve");
  const code = form === "mjs" ? source : source.replace(
    /^import (\{[^}]*\}) from ("[^"]*");$/gm,
    "const $1 = require($2);",
  );
  const folder = join(await installPackage(), "outbound");
  await mkdir(folder, { recursive: true });
  const path = join(folder, `api.${form}`);
  await writeFile(path, code);
  return path;
}

async function runFlow(args: string[], command: string[], callApi: CallApi): Promise<void> {
  const application = await openApplication();
  try {
    await inFolder(async (folder) => {
      const ca = join(folder, "authority.pem");
      await writeFile(ca, authority);
      const env = { NODE_EXTRA_CA_CERTS: ca, HALLPASS_CONFIG_JSON: JSON.stringify(config) };
      const server = await startProgram(args, env, command);
      try {
        await sendEveryOutboundRequest(server.issuer, application, callApi);
      } finally {
        await server.stop();
      }
    });
  } finally {
    await application.close();
  }
}

/**
 * The application is on this machine, so the guarded fetch allows private addresses here. That it
 * refuses them otherwise is tested in `tests/runtime/guarded_fetch_test.ts`, and of the npm package
 * in `tests/once/package/guarded_fetch_test.ts`. No test can reach a public address. The program
 * runs as a lab, since `serve` refuses this setting.
 */
describe("Every outbound request: document, keys, sector, introspection, logout", () => {
  for (const [name, command] of Object.entries(programs)) {
    it(`I1: is sent by the program, made of ${name}`, async () => {
      await runFlow(["lab", "--port", "0"], await command(), callOwnApi);
    });
  }

  for (const [name, command] of Object.entries(libraries)) {
    it(`I1: is sent by a server and an API made with ${name}`, async () => {
      const settings = JSON.stringify({ config, introspection });
      await runFlow([settings], await command(), callServedApi);
    });
  }

  it("I1: can be rewritten to load the npm package alone", async () => {
    for (const form of ["mjs", "cjs"] as const) {
      const code = await readFile(await packagedApi(form), "utf8");
      assertEquals(code.includes("src/"), false);
      assertMatch(
        code,
        form === "mjs" ? /^import .* "hallpass\/serve";$/m : /require\("hallpass"\)/,
      );
    }
  });
});
