import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { spawnSync } from "node:child_process";
import { access, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe } from "node:test";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import { commands } from "../../../../src/program/commands.ts";
import { firstRunSteps, originOf } from "../../../../src/program/features/init/first_run.ts";
import { findProject } from "../../../../src/program/features/init/project.ts";
import { starters as runners } from "../../../../src/program/features/init/starters.ts";
import { version } from "../../../../src/runtime/version.ts";
import { runCommandLine, terminalWith } from "../../../support/command_line.ts";
import { openFolder } from "../../../support/folder.ts";
import { itWith } from "../../../support/it_with.ts";
import { present } from "../../../support/present.ts";
import { hasFeature } from "../../../support/where_feature.ts";

/** A folder that is deleted after its test. */
interface Folder extends AsyncDisposable {
  path: string;
  read(file: string): Promise<string>;
}

async function openProject(): Promise<Folder> {
  const { folder: path, ...disposable } = await openFolder();
  return { ...disposable, path, read: (file) => readFile(join(path, file), "utf8") };
}

const it = itWith({ inFolder: openProject });

/** Writes a file of a project that a runner is found by. */
async function showRunner({ path }: Folder, { manifest, shownBy }: typeof runners[number]) {
  const name = manifest.replace("*", "shop");
  await writeFile(join(path, name), `{ "devDependencies": { ${shownBy || '"none"'}: "*" } }`);
}

/** Runs the command at a terminal, with what a person there answers. */
async function runInit(path: string, answers: string[]) {
  const { terminal, questions, printed } = terminalWith({ answers });
  const [init] = commands.filter(({ name }) => name === "init");
  const code = await init?.run({ command: "init", operand: path, values: new Map() }, terminal);
  return { code, questions, output: printed.join("\n") };
}

describe("hallpass init", () => {
  for (const runner of runners) {
    it.inFolder(`finds ${runner.runner} by ${runner.manifest}`, async (folder) => {
      await showRunner(folder, runner);
      const { code, output } = await runCommandLine(["init", folder.path, "--yes"]);
      assertEquals(code, 0);
      assertStringIncludes(output, `Found ${runner.runner} in `);
      assertStringIncludes(output, `Now run: `);
      assertStringIncludes(output, runner.run);
      const test = await folder.read(runner.path);
      assertMatch(test, /http(?::\/\/|%3A%2F%2F)localhost(?::|%3A)3000/);
      // It gets to a signed-in user, not to the callback alone.
      assertMatch(test, /oauth2\/token[^]*oauth2\/userinfo/);
      assertMatch(test, /grant_type=authorization_code&client_id=app&redirect_uri=.*&code=["`$]/);
      assertEquals(/CLIENT_ID|REDIRECT_URI|ENCODED_URI|TOKEN_REQUEST|VERSION/.test(test), false);
    });
  }

  it.inFolder("writes a configuration that a lab takes", async (folder) => {
    await writeFile(join(folder.path, "package.json"), "{}");
    await runCommandLine(["init", folder.path, "--yes"]);
    const { $schema, ...config } = JSON.parse(await folder.read("hallpass.json"));
    assertStringIncludes($schema, "config.schema.json");
    await using lab = await hallpass(config);
    assertEquals(lab.clients.list().map(({ id }) => id), ["app"]);
  });

  for (const runner of runners.filter(({ manifest }) => manifest === "package.json")) {
    it.inFolder(`adds a script that runs the tests of ${runner.runner}`, async (folder) => {
      const name = /^"/.test(runner.shownBy) ? runner.shownBy : `"${runner.shownBy}"`;
      const text = `{\n\t"name": "shop",\n\t"shown": { ${name}: "*" }\n}`;
      await writeFile(join(folder.path, "package.json"), text);
      const { output } = await runCommandLine(["init", folder.path]);
      assertStringIncludes(output, `--- package.json, in its scripts\n"test": "${runner.script}"`);
      assertEquals(await folder.read("package.json"), text);
      await runCommandLine(["init", folder.path, "--yes"]);
      const written = await folder.read("package.json");
      assertEquals(JSON.parse(written), { ...JSON.parse(text), scripts: { test: runner.script } });
      // Its indentation, and its end, stay as they were.
      assertMatch(written, /^{\n\t"name".*[^\n]$/s);
    });
  }

  const kept: Array<[what: string, text: string]> = [
    ["a test script", '{ "scripts": { "test": "mine" } }'],
    ["an empty test script", '{ "scripts": { "test": "" } }'],
    ["scripts that are no object", '{ "scripts": [] }'],
    ["a list", "[]"],
    ["no JSON", "{ // mine\n}"],
  ];
  for (const [what, text] of kept) {
    it.inFolder(`leaves package.json alone that has or is ${what}`, async (folder) => {
      await writeFile(join(folder.path, "package.json"), text);
      const { code, output } = await runCommandLine(["init", folder.path, "--yes"]);
      assertEquals([code, await folder.read("package.json")], [0, text]);
      assertEquals(output.includes("--- package.json"), false);
    });
  }

  const shown = '"jest": "*"';
  const inserted: Array<[what: string, before: string, after: string]> = [
    [
      "line ends of Windows",
      `{\r\n  "a": {\r\n    ${shown}\r\n  }\r\n}\r\n`,
      `{\r\n  "a": {\r\n    ${shown}\r\n  },\r\n  "scripts": {\r\n    "test": "jest"\r\n  }\r\n}\r\n`,
    ],
    [
      "lists in one line",
      `{\n  "files": ["a", "}"],\n  "scripts": {\n    "b": "}"\n  },\n  ${shown}\n}`,
      `{\n  "files": ["a", "}"],\n  "scripts": {\n    "b": "}",\n    "test": "jest"\n  },\n  ${shown}\n}`,
    ],
    [
      "members and numbers that JavaScript forgets",
      `{ "n": 1.0, "n": 12345678901234567890, "scripts": {"x": ""}, "scripts": {}, ${shown} }`,
      `{ "n": 1.0, "n": 12345678901234567890, "scripts": {"x": ""}, "scripts": { "test": "jest"}, ${shown} }`,
    ],
    ["nothing else", `{ ${shown} }`, `{ ${shown}, "scripts": { "test": "jest" } }`],
  ];
  for (const [what, before, after] of inserted) {
    it.inFolder(`adds a script alone to a package.json with ${what}`, async (folder) => {
      await writeFile(join(folder.path, "package.json"), before);
      await runCommandLine(["init", folder.path, "--yes"]);
      assertEquals(await folder.read("package.json"), after);
    });
  }

  it.inFolder("leaves a package.json alone that is not UTF-8", async (folder) => {
    const bytes = new Uint8Array([...new TextEncoder().encode('{ "author": "J'), 0xfc, 0x22, 0x7d]);
    await writeFile(join(folder.path, "package.json"), bytes);
    await runCommandLine(["init", folder.path, "--yes"]);
    assertEquals(new Uint8Array(await readFile(join(folder.path, "package.json"))), bytes);
  });

  it.inFolder("keeps the other scripts, and writes through no link", async (folder) => {
    const path = join(folder.path, "package.json");
    const target = join(folder.path, "other.json");
    await writeFile(target, '{\n  "scripts": { "start": "node ." }\n}\n');
    await symlink("other.json", path);
    await runCommandLine(["init", folder.path, "--yes"]);
    assertEquals((await folder.read("other.json")).includes("test"), false);
    await rm(path);
    await writeFile(path, await folder.read("other.json"));
    await runCommandLine(["init", folder.path, "--yes"]);
    const { scripts } = JSON.parse(await folder.read("package.json"));
    assertEquals(scripts, { start: "node .", test: "node --test" });
    assertMatch(await folder.read("package.json"), /}\n$/);
  });

  it.inFolder("writes nothing without a yes", async (folder) => {
    await writeFile(join(folder.path, "package.json"), "{}");
    for (const answers of [["n"], [""], ["why?"]]) {
      const { code, questions } = await runInit(folder.path, answers);
      assertEquals([code, questions], [0, ["\nWrite and run this? [y/N] "]]);
    }
    const { code, output } = await runCommandLine(["init", folder.path]);
    assertEquals(code, 2);
    assertStringIncludes(output, "--- hallpass.json");
    assertMatch(output, /^Nothing was written: there is no terminal to ask at\. Add --yes\.$/m);
    assertEquals(await readdir(folder.path), ["package.json"]);
    await runInit(folder.path, ["Yes"]);
    await access(join(folder.path, "tests/hallpass.test.mjs"));
  });

  it.inFolder("overwrites nothing, and uses the client that is there", async (folder) => {
    await writeFile(join(folder.path, "package.json"), "{}");
    const config = '{ "clients": [{ "id": "shop", "redirectUris": ["https://shop.test/in"] }] }';
    await writeFile(join(folder.path, "hallpass.json"), config);
    const { output } = await runCommandLine(["init", folder.path, "--yes"]);
    assertStringIncludes(output, "hallpass.json is there already, and stays as it is.");
    assertEquals(await folder.read("hallpass.json"), config);
    assertMatch(await folder.read("tests/hallpass.test.mjs"), /"shop".*"https:\/\/shop.test\/in"/s);
    await writeFile(join(folder.path, "tests/hallpass.test.mjs"), "mine");
    await runCommandLine(["init", folder.path, "--yes"]);
    assertEquals(await folder.read("tests/hallpass.test.mjs"), "mine");
  });

  const hostile = {
    id: 'a", x: (globalThis.met = 1), y: "$&$\'',
    redirectUris: ['https://shop.test/in?a="+(globalThis.met=2)+"'],
  };
  for (const runner of runners) {
    it.inFolder(`lets no client write the test of ${runner.runner}`, async (folder) => {
      await showRunner(folder, runner);
      const config = JSON.stringify({ clients: [hostile] });
      await writeFile(join(folder.path, "hallpass.json"), config);
      await runCommandLine(["init", folder.path, "--yes"]);
      const test = await folder.read(runner.path);
      assertEquals(/[^\\]"(?:, x:|\+\(globalThis)/.test(test), false);
      assertEquals(test.includes(runner.usesPackage ? '"a\\", x:' : "client_id=a%22%2C"), true);
      assertEquals(test.includes("CLIENT_ID"), false);
    });
  }

  it.inFolder("writes no test with characters that a terminal would hide", async (folder) => {
    await writeFile(join(folder.path, "package.json"), "{}");
    const clients = [{ id: "a\u001b[2K", redirectUris: ["https://shop.test/in"] }];
    await writeFile(join(folder.path, "hallpass.json"), JSON.stringify({ clients }));
    const { code, output } = await runCommandLine(["init", folder.path, "--yes"]);
    assertEquals(code, 2);
    assertMatch(output, /The id and the first redirect URI of a client in hallpass.json must be/);
  });

  for (const target of ["elsewhere", "nowhere"]) {
    it.inFolder(`writes nothing outside of the project, through a folder that is a link ${target}`, async (folder) => {
      await using other = await openProject();
      const linked = target === "elsewhere" ? other.path : join(other.path, target);
      const { path } = present(runners.find(({ manifest }) => manifest === "package.json"));
      await writeFile(join(folder.path, "package.json"), "{}");
      await symlink(linked, join(folder.path, dirname(path)));
      const { code, output } = await runCommandLine(["init", folder.path, "--yes"]);
      assertEquals(code, 2);
      assertMatch(output, /Nothing was written: .* leads out of the project/);
      assertEquals(await readdir(other.path), []);
      assertEquals((await readdir(folder.path)).sort(), [dirname(path), "package.json"].sort());
    });
  }

  it.inFolder("waits for no pipe that has the name of a file", async (folder) => {
    for (const name of ["package.json", "hallpass.json", "deno.json"]) {
      const pipe = join(folder.path, name);
      assertEquals(spawnSync("mkfifo", [pipe]).status, 0);
      const { code, output } = await runCommandLine(["init", folder.path, "--yes"]);
      assertEquals(code, 2, output);
      assertMatch(output, /There is no project/);
    }
    await rm(join(folder.path, "deno.json"));
    await writeFile(join(folder.path, "deno.json"), "{}");
    const { code, output } = await runCommandLine(["init", folder.path, "--yes"]);
    assertEquals(code, 0);
    assertStringIncludes(output, "hallpass.json is there already");
  });

  it.inFolder("takes a link that leads nowhere for a file that is there", async (folder) => {
    await writeFile(join(folder.path, "package.json"), "{}");
    await symlink("nowhere.json", join(folder.path, "hallpass.json"));
    const { code, output } = await runCommandLine(["init", folder.path, "--yes"]);
    assertEquals(code, 0);
    assertStringIncludes(output, "hallpass.json is there already");
    assertEquals((await readdir(folder.path)).sort(), ["hallpass.json", "package.json", "tests"]);
  });

  it.inFolder("passes the path of a package on as one word", async ({ path }) => {
    await writeFile(join(path, "package.json"), "{}");
    const { starter, files } = await findProject(path);
    const source = join(path, "my files", "p.tgz");
    assertEquals(firstRunSteps({ starter, files }, originOf(false, source)), [
      ["npm", "install", "--save-dev", source],
      ["node", "--test", "tests/hallpass.test.mjs"],
    ]);
  });

  const node = "/bin/node";
  const test = ["node", "--test", "tests/hallpass.test.mjs"];
  const archive = `hallpass-${version}.tgz`;
  const origins: Array<
    [what: string, script: string | undefined, last: string, steps: string[][]]
  > = [
    ["the registry, after a release", "/n/node_modules/hallpass/main.mjs", version, [
      ["npm", "install", "--save-dev", `hallpass@${version}`],
      test,
    ]],
    ["the clone that runs", "/clone/src/main.ts", "", [
      ["npx", "-y", "deno", "task", "--config", "/clone/deno.json", "build"],
      ["npm", "install", "--save-dev", `/clone/dist/${archive}`],
      test,
    ]],
    ["the package that runs", "/n/node_modules/hallpass/main.mjs", "", [
      ["npm", "pack", "--silent", "/n/node_modules/hallpass"],
      ["npm", "install", "--save-dev", `./${archive}`],
      test,
    ]],
  ];
  for (const [what, script, last, steps] of origins) {
    it.inFolder(`installs ${what}`, async ({ path }) => {
      await writeFile(join(path, "package.json"), "{}");
      const { starter, files } = await findProject(path);
      const origin = originOf(false, undefined, { script, runtime: node, last });
      assertEquals(firstRunSteps({ starter, files }, origin), steps);
    });
  }

  const programs: Array<
    [what: string, script: string | undefined, last: string, program: string[]]
  > = [
    ["that of the registry", "/clone/src/main.ts", "0.9.0", [
      "npx",
      "--yes",
      "--package",
      `hallpass@${version}`,
      "hallpass",
    ]],
    ["the clone", "/clone/src/main.ts", "", [
      node,
      "run",
      "-A",
      "--config",
      "/clone/deno.json",
      "/clone/src/main.ts",
    ]],
    ["the package", "/n/node_modules/hallpass/main.mjs", "", [
      node,
      "/n/node_modules/hallpass/main.mjs",
    ]],
    ["the binary", undefined, "", [node]],
  ];
  for (const [what, script, last, program] of programs) {
    it(`runs a test in another language with ${what}`, () => {
      assertEquals(originOf(false, undefined, { script, runtime: node, last }).program, program);
    });
  }

  it.inFolder("prints the lines of the library that signs users in", async (folder) => {
    const { path } = folder;
    await writeFile(join(path, "package.json"), '{ "dependencies": { "next-auth": "5" } }');
    const { output } = await runCommandLine(["init", path, "--yes"]);
    if (!hasFeature("connect")) return;
    assertMatch(output, /Found Node's test runner and Auth\.js in /);
    assertMatch(output, /in auth\.ts.*issuer: "http:\/\/localhost:9000"/s);
    const { clients: [client] } = JSON.parse(await folder.read("hallpass.json"));
    assertEquals(client.redirectUris, ["http://localhost:3000/api/auth/callback/hallpass"]);
    assertStringIncludes(output, `clientSecret: "${client.secret}"`);
  });

  it.inFolder("names the program that runs, where the test needs it", async (folder) => {
    await writeFile(join(folder.path, "go.mod"), "module shop");
    const { output } = await runCommandLine(["init", folder.path, "--yes"]);
    assertMatch(output, /Now run: \/.* exec --config hallpass\.json -- go test/);
    assertStringIncludes(output, "For CI: npx hallpass exec --config hallpass.json -- go test");
  });

  const missing: Array<[manifest: string, text: string, says: RegExp]> = [
    ["pom.xml", "junit-jupiter", /^The first test of Maven needs 'mvn', which is not there\.$/m],
    ["build.gradle", "junit-jupiter", /needs '\.\/gradlew', which is not there: gradle wrapper$/m],
    ["composer.json", "{}", /^The first test of PHP needs 'php', which is not there\.$/m],
    [
      "composer.json",
      '"phpunit"',
      /needs 'vendor\/bin\/phpunit', which is not there: composer inst/,
    ],
    ["Gemfile", "rspec", /needs 'rspec', which is not there: bundle install$/m],
  ];
  for (const [manifest, text, says] of missing) {
    it.inFolder(`names the program that is missing, and runs nothing: ${says}`, async ({ path }) => {
      await writeFile(join(path, manifest), text);
      const { code, output } = await runCommandLine(["init", path, "--yes"], { PATH: path });
      assertEquals(code, 1);
      assertMatch(output, says);
      assertMatch(output, /^Now run: .* exec --config hallpass\.json -- /m);
    });
  }

  it.inFolder("finds a program in the search path", async ({ path }) => {
    await writeFile(join(path, "pom.xml"), "");
    await writeFile(join(path, "mvn"), "#!/bin/sh\n", { mode: 0o755 });
    const PATH = `${join(path, "nowhere")}:${path}`;
    const { output } = await runCommandLine(["init", path, "--yes"], { PATH });
    assertMatch(output, /^Running: /m);
  });

  for (const manifest of ["pom.xml", "build.gradle"]) {
    it.inFolder(`names the libraries that the first test needs in ${manifest}`, async ({ path }) => {
      await writeFile(join(path, manifest), "");
      const { output } = await runCommandLine(["init", path, "--yes"]);
      assertMatch(output, /^The first test needs .*junit-jupiter 5 .*\nNow run: /m);
    });
  }

  it.inFolder("says what to do where no project is", async ({ path }) => {
    for (const folder of [path, join(path, "nowhere")]) {
      const { code, output } = await runCommandLine(["init", folder, "--yes"]);
      assertEquals(code, 2);
      assertMatch(output, /There is no (?:project in|folder) '/);
    }
  });
});
