import { assert, assertEquals, assertMatch } from "@std/assert";
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { compiler, succeed } from "../../../scripts/child.ts";
import { binary } from "../../../scripts/downloads.ts";
import { inFolder } from "../../support/folder.ts";
import { installPackage, packPackage } from "../../support/package.ts";

/** How each runtime runs a file. */
const runtimes: ReadonlyArray<[name: string, command: () => Promise<string[]>]> = [
  ["Deno", async () => [process.execPath, "run", "--allow-all", "--no-check"]],
  ["Bun", async () => [await binary("bun@1")]],
  ["Node", async () => [await binary("node@24")]],
];

/**
 * Its largest parts: what every lab loads, 240 kB; the types with their comments, 210 kB; the server,
 * 198 kB; the schemas of the lab's interface, 145 kB, and of the configuration, 77 kB; the pages of
 * the lab, 136 kB; the catalogue of rules, 80 kB; the tools of agents with the guides that they can
 * read, 76 kB; the fixtures of test runners and the skill, 61 kB. Pages, presets, schemas and rules
 * load only when they are used. To load 231 kB later than a lab, which is 13 ms of its first token,
 * takes 12 kB.
 */
const maxSize = 2_950_000;

/**
 * What `import` and `require` of an entry point may load, in bytes: 217 kB for the server and 353 kB
 * for a lab that mints a token on 2026-11-27, with groups of users, links by e-mail, what finds a
 * user by a claim, and the settings and the factor of passkeys.
 */
const maxLoaded = { index: 220_000, mint: 360_000 };

/**
 * How many files these imports may load: 10 for the server and 16 for a lab that mints a token, which
 * are what each smaller entry shares with it, and one to spare for another entry. With the 177
 * chunks, a third of the time to the first token of a process went into opening files.
 */
const maxFiles = { index: 12, mint: 17 };

/** Prints how many bytes and files of the package Node has loaded. */
const printLoaded = `
  const { statSync } = require("node:fs");
  const files = Object.keys(require("node:module")._cache).filter((file) => file.includes("hallpass"));
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  console.log("loaded", JSON.stringify({ bytes, files: files.length }));
`;

const mintToken =
  'const lab = await require("hallpass/testing").hallpass(); await lab.mint({ sub: "alice" });';

const loadings: ReadonlyArray<[name: string, code: string, what: keyof typeof maxLoaded]> = [
  ["import of the server", 'await import("hallpass");', "index"],
  ["require of the server", 'require("hallpass");', "index"],
  ["a lab that mints a token", mintToken, "mint"],
];

/** A test runner prints errors with this function. */
const printErrors = `
  import { hallpass } from "hallpass/testing";
  import { inspect } from "node:util";
  const lab = await hallpass();
  try { lab.fault("none"); } catch (cause) { console.log(inspect(cause)); }
  try { await hallpass({ users: 3 }); } catch (cause) { console.log(inspect(cause)); }
`;

/** A test as the README of the package has it, with types. */
const readmeTest = `
  import { hallpass } from "hallpass/testing";
  Deno.test("userinfo", async () => {
    await using lab = await hallpass();
    const { access_token } = await lab.mint({ sub: "alice", scope: "openid read" });
    const headers = { Authorization: \`Bearer \${access_token}\` };
    const response = await lab.fetch(\`\${lab.issuer}/oauth2/userinfo\`, { headers });
    if ((await response.json()).sub !== "alice") throw new Error("It is not alice.");
  });
`;

describe("The npm package", () => {
  it("is installed as the README says, and Deno checks a test with it", async () => {
    const packed = await packPackage();
    const readme = await readFile("README.md", "utf8");
    const [, options = "", name] = readme.match(/^npm install (.*?)\S*\/dist\/(\S+\.tgz)$/m) ?? [];
    assertEquals(name, basename(packed));
    await inFolder(async (folder) => {
      const app = join(folder, "app");
      await mkdir(app);
      await writeFile(join(app, "lab_test.ts"), readmeTest);
      const flags = [...options.split(" ").filter(Boolean), "--offline", "--no-audit", "--no-fund"];
      await succeed(["npm", "install", ...flags, packed], app);
      const output = await succeed([process.execPath, "test", "lab_test.ts"], app);
      assertMatch(output, /1 passed/);
    });
  });

  it("has a README of its own, which names no file that it does not have", async () => {
    const folder = join(await installPackage(), "node_modules/hallpass");
    const readme = await readFile(join(folder, "README.md"), "utf8");
    const named = [...readme.matchAll(/`([\w./-]+\.(?:js|json|md|ts|tsx))`/g)];
    assert(named.length > 0);
    for (const [, file = ""] of named) await stat(join(folder, file));
    assertEquals(readme.match(/\]\((?!https?:|#).*?\)/g), null);
  });

  it("is smaller than 2.95 MB and needs no other package", async () => {
    const folder = await installPackage();
    const installed = (await readdir(join(folder, "node_modules"))).filter((name) =>
      !name.startsWith(".")
    );
    assertEquals(installed, ["hallpass"]);
    const size = await sizeOf(join(folder, "node_modules/hallpass"));
    assert(size < maxSize, `It has ${size} bytes.`);
  });

  for (const [name, code, what] of loadings) {
    it(`loads pages and languages only when they are needed: ${name}`, async () => {
      const program = `(async () => { ${code} ${printLoaded} })();`;
      const output = await succeed(
        [await binary("node@24"), "-e", program],
        await installPackage(),
      );
      const { bytes, files } = JSON.parse(/^loaded (.*)$/m.exec(output)?.[1] ?? "");
      assert(files > 1 && files <= maxFiles[what], `It loaded ${files} files.`);
      assert(bytes > 100_000 && bytes < maxLoaded[what], `It loaded ${bytes} bytes.`);
    });
  }

  it("has long code only in a folder that is named after its content, for the cache of Deno", async () => {
    const folder = join(await installPackage(), "node_modules/hallpass");
    const files = await readdir(folder, { recursive: true });
    const code = files.filter((file) => file.endsWith(".js"));
    const texts = await Promise.all(code.map((file) => readFile(join(folder, file), "utf8")));
    const long = code.filter((_, at) => Number(texts[at]?.length) > 16_383);
    assert(long.length > 0);
    assertEquals(long.filter((file) => !/^chunks-[0-9a-f]{8}\//.test(file)), []);
  });

  it("contains the licences of the code it bundles", async () => {
    const licenses = await readFile(
      join(await installPackage(), "node_modules/hallpass/THIRD-PARTY-LICENSES"),
      "utf8",
    );
    for (const name of ["htmlparser2", "jose", "preact", "preact-render-to-string", "srvx"]) {
      assertMatch(licenses, new RegExp(`^${name} [\\d.]+ \\(MIT\\)`, "m"));
    }
    assertMatch(licenses, /^entities [\d.]+ \(BSD-2-Clause\)/m);
  });

  for (const [runtime, command] of runtimes) {
    it(`runs the ten lines of the test kit on ${runtime}`, async () => {
      const folder = await installPackage();
      await copyFile("tests/examples/ten_lines.ts", join(folder, "ten_lines.ts"));
      const output = await succeed([...await command(), "ten_lines.ts"], folder);
      assertEquals(JSON.parse(output.trim().split("\n").at(-1) ?? ""), {
        token: 3,
        callback: true,
        refused: 500,
        sent: "authorization_code",
        flows: 1,
        clean: true,
        tenant: "https://hallpass.test/t/1",
      });
    });

    it(`prints errors with the names of their classes on ${runtime}`, async () => {
      const folder = await installPackage();
      await writeFile(join(folder, "errors.mjs"), printErrors);
      const output = await succeed([...await command(), "errors.mjs"], folder);
      assertMatch(output, /^LabError: There is no fault 'none'/m);
      assertMatch(output, /^ConfigError: Cannot start the server/m);
    });

    it(`has a program that prints its help on ${runtime}`, async () => {
      const folder = join(await installPackage(), "node_modules/hallpass");
      const { bin, version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
      const program = [...await command(), join(folder, bin.hallpass)];
      const output = await succeed([...program, "--help"], folder);
      assertMatch(output, new RegExp(`^Hallpass ${version.replaceAll(".", "\\.")}`));
    });

    it(`runs the first example of its README, which has at most eight lines, on ${runtime}`, async () => {
      const readme = await readFile(".github/PACKAGE.md", "utf8");
      const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
      assert(example.trim().split("\n").length <= 8, example);
      const folder = await installPackage();
      await writeFile(join(folder, "first_example.ts"), example);
      const output = await succeed([...await command(), "first_example.ts"], folder);
      assertEquals(output.trim().split("\n"), ["200", "401"]);
    });
  }

  for (const [module, resolution] of [["nodenext", "nodenext"], ["esnext", "bundler"]]) {
    it(`has types that an editor can use with the module resolution ${resolution}`, async () => {
      const folder = await installPackage();
      const files = ["ten_lines.ts", "types.ts"];
      for (const file of files) await copyFile(join("tests/examples", file), join(folder, file));
      const options =
        `--ignoreConfig --noEmit --strict --target esnext --module ${module} --moduleResolution ${resolution} --types`
          .split(" ");
      await succeed(
        [...compiler, ...options, "", "--lib", "esnext,dom,dom.iterable", ...files],
        folder,
      );
    });
  }
});

describe("The JSR package", () => {
  it("can be published", async () => {
    const deno = process.env.HALLPASS_TEST_DENO ?? process.execPath;
    const output = await succeed(
      [deno, "publish", "--dry-run", "--allow-dirty", "--no-check"],
      process.cwd(),
    );
    assertMatch(output, /src\/lab\/testing\/mod\.ts/);
    const [stray] = output.match(/file:\S*\/(?:tests|scripts)\/\S+/) ?? [];
    assertEquals(stray, undefined);
  });
});

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(entries.map((entry) => stat(join(folder, entry))));
  return sizes.filter((entry) => entry.isFile()).reduce((sum, { size }) => sum + size, 0);
}
