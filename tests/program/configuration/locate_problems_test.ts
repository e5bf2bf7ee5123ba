import { assert, assertEquals, assertMatch } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { runCommandLine } from "../../support/command_line.ts";
import { inFolder } from "../../support/folder.ts";

const invalid = `{
  "clients": [
    { "id": "shop", "redirectUri": [] },
    { "id": 7, "redirectUris": ["http://localhost/cb", 3] },
    { "redirectUris": [] }
  ],
  "frontChannelUrl": "no URL",
  "scopes": { "read.all": { "text": 3 } }
}`;

/** How each problem begins, and where it is. */
const located = [
  ["clients[0].redirectUri is not a setting", "3:21"],
  ["clients[1].id must be a string", "4:7"],
  ["clients[1].redirectUris[1] must be a string", "4:56"],
  ["clients[2].id is missing", "5:5"],
  ["scopes.read.all.text must be", "8:29"],
];

/** Runs a command with a configuration file in a folder of its own. */
async function runWith(text: string, command: string, ...options: string[]) {
  return await inFolder(async (folder) => {
    const path = join(folder, "own.json");
    await writeFile(path, text);
    const words = command.replace("FOLDER", folder).split(" ");
    const { code, output } = await runCommandLine([...words, "--config", path, ...options]);
    return { code, output: output.replaceAll(path, "own.json") };
  });
}

/** Returns the line after the one with a problem. */
function lineAfter(output: string, problem: string): string | undefined {
  const lines = output.split("\n");
  return lines[lines.findIndex((line) => line.includes(problem)) + 1]?.trim();
}

describe("The problems of a configuration in JSON", () => {
  for (const command of ["check", "serve", "lab", "user list --store sqlite:FOLDER/store.db"]) {
    it(`have a line and a column in ${command.split(" --")[0]} (E12)`, async () => {
      const { code, output } = await runWith(invalid, command);
      assertEquals(code, 2, output);
      for (const [problem = "", place] of located) {
        assertEquals(lineAfter(output, problem), `at own.json:${place}`, output);
      }
    });
  }

  it("have both in doctor, which reads the addresses alone", async () => {
    const { output } = await runWith(invalid, "doctor");
    assertEquals(lineAfter(output, "frontChannelUrl is not"), "at own.json:7:3");
  });

  it("have both where the program's own settings are wrong, whatever an option says", async () => {
    const { output } = await runWith('{\n  "port": "x"\n}', "serve", "--port", "0");
    assertEquals(lineAfter(output, "port must be"), "at own.json:2:3");
  });

  it("have none where an option decides", async () => {
    const text = '{ "issuer": "https://id.example" }';
    const { output } = await runWith(text, "check", "--issuer", "http://id.example");
    assertMatch(output, /issuer uses http/);
    assert(!output.includes("at own.json"), output);
  });

  it("have both in the environment variable that holds the configuration", async () => {
    const { output } = await runCommandLine(["check"], { HALLPASS_CONFIG_JSON: invalid });
    assertEquals(lineAfter(output, "clients[1].id"), "at HALLPASS_CONFIG_JSON:4:7");
  });

  it("have both in the JSON of check, beside the problems", async () => {
    const { output } = await runWith(invalid, "check", "--json");
    const { problems, locations } = JSON.parse(output.slice(0, output.indexOf("\n}") + 2));
    assertEquals(locations.length, problems.length);
    assertEquals(locations[1], { file: "own.json", line: 4, column: 7 });
  });

  it("have both where a text is not JSON, without the text itself", async () => {
    const { code, output } = await runWith('{\n  "secret": "hidden"\n  "port": 1\n}', "check");
    assertEquals(code, 2);
    assertMatch(output, /own\.json is not JSON: line 3, column 3: a comma or } is expected/);
    assert(!output.includes("hidden"), output);
  });
});

describe("The problems of a client to add", () => {
  it("are not looked for in the configuration", async () => {
    const text = '{ "issuer": "https://id.example", "scopes": { "read": "Read" } }';
    const { output } = await runWith(
      text,
      "client add other --store sqlite:FOLDER/store.db --scope other",
    );
    assertMatch(output, /scopes contains 'other'/);
    assert(!output.includes("at own.json"), output);
  });
});
