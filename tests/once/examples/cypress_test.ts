import { assertEquals, assertRejects } from "@std/assert";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { binary, reasonNotFetched } from "../../../scripts/downloads.ts";
import { inFolder } from "../../support/folder.ts";
import { checkTypes, installPackage, unpackTypes } from "../../support/package.ts";
import { present } from "../../support/present.ts";
import { startProgram } from "../../support/program.ts";
import { replayCypress } from "./replay_cypress.ts";

const token = "a-token-of-32-letters-and-digits";

/** Starts the lab of the configuration file as Cypress does, but on a free port. */
const startLab = `
  const { default: { e2e } } = await import(process.argv[1]);
  const { env } = await e2e.setupNodeEvents(() => {}, { env: { HALLPASS_PORT: true } });
  console.log("hallpass ready " + env.HALLPASS_URL);`;

/** Calls a function with a copy of the example, which can import our package. */
async function inExample<T>(act: (folder: string) => Promise<T>): Promise<T> {
  return await inFolder(async (folder) => {
    await cp("tests/examples/cypress", folder, { recursive: true });
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const hallpass = join(await installPackage(), "node_modules/hallpass");
    await cp(hallpass, join(folder, "node_modules/hallpass"), { recursive: true });
    return await act(folder);
  });
}

/** Adds a package `cypress` with the one function that a configuration calls at run time. */
async function addDefineConfig(folder: string): Promise<void> {
  const cypress = join(folder, "node_modules/cypress");
  await mkdir(cypress);
  await writeFile(join(cypress, "index.js"), "exports.defineConfig = (config) => config;\n");
}

const skip = await reasonNotFetched("cypress@15.3.0");

describe("The files for Cypress", () => {
  it("have no type errors, with Cypress's own types", { skip }, async () => {
    await inExample(async (folder) => {
      await cp(await unpackTypes("cypress@15.3.0"), join(folder, "node_modules"), {
        recursive: true,
      });
      const files = ["cypress.config.ts", "support.ts", "login.cy.ts", "--types", "cypress"];
      const { code, output } = await checkTypes(folder, files);
      assertEquals(code, 0, output);
    });
  });

  it("Z3: start a lab, sign a user in and read the report, which is red if nobody reached it", async () => {
    await inExample(async (folder) => {
      await addDefineConfig(folder);
      const config = pathToFileURL(join(folder, "cypress.config.ts")).href;
      const command = [await binary("node@24"), "--input-type=module", "-e", startLab, config];
      const lab = await startProgram([], {}, command);
      try {
        const { lab: call, signIn, assertClean, after } = await commandsOf(folder, {
          HALLPASS_URL: lab.issuer,
        });
        await call("/reset", {});
        await signIn("bob");
        assertEquals(await call("/sign-in"), { user: "bob" });
        assertEquals(await call("/clients").its("length"), 1);
        await after();
        await assertClean();
        await assertRejects(after, Error, "No request reached this lab.");
        await (await fetch(`${lab.issuer}/oauth2/jwks`)).text();
        await after();
        await assertRejects(() => signIn("bobby"), Error, "400");
      } finally {
        await lab.stop();
      }
    });
  });

  it("send the token of a lab", async () => {
    const lab = await startProgram(["lab", "--port", "0", "--lab-token", token]);
    try {
      const env = { HALLPASS_URL: lab.issuer };
      const folder = "tests/examples/cypress";
      await assertRejects(async () => (await commandsOf(folder, env)).signIn("bob"), Error, "401");
      await (await commandsOf(folder, { ...env, HALLPASS_LAB_TOKEN: token })).signIn("bob");
    } finally {
      await lab.stop();
    }
  });
});

let loads = 0;

/** Loads the support file, which adds its commands. */
async function commandsOf(folder: string, env: Record<string, string>) {
  const commands = replayCypress(env);
  await import(`${pathToFileURL(join(folder, "support.ts")).href}?${loads++}`);
  const { lab, signIn, assertClean, after } = commands;
  return {
    ...{ lab: present(lab), signIn: present(signIn) },
    ...{ assertClean: present(assertClean), after: present(after) },
  };
}
