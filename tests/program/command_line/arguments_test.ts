import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { parseArguments } from "../../../src/program/command_line/arguments.ts";
import { groupOptions, help, helpFor, helpOf } from "../../../src/program/command_line/help.ts";
import { labOptions } from "../../../src/program/command_line/lab_options.ts";
import { serverOptions } from "../../../src/program/command_line/options.ts";
import { commandGroups, commands } from "../../../src/program/commands.ts";
import { UsageError } from "../../../src/program/terminal/exit_code.ts";
import schema from "../../../static/config.schema.json" with { type: "json" };

const parse = (line: string) => parseArguments(wordsOf(line), {}, commands);

/** Splits a line as a shell does: quotes keep words together, and pipes end the command. */
function wordsOf(line: string): string[] {
  const [command = ""] = line.split(/ [|<] /);
  return [...command.matchAll(/(?:"[^"]*"|\S)+/g)].map(([word]) => word.replaceAll('"', ""));
}

/** What was typed, and what the program says about it. */
const refused: Array<[line: string, says: string]> = [
  ["clone", "There is no command 'clone'. "],
  ["serv", "There is no command 'serv'. Did you mean 'serve'?"],
  ["dance", "There is no command 'dance'. The commands are: lab, serve, "],
  ["client", "'client' needs a subcommand: client list, client show, "],
  ["client --json", "'client' needs a subcommand: "],
  ["client lst", "There is no command 'client lst'. Did you mean 'client list'?"],
  ["client fly", "There is no command 'client fly'. 'client' needs a subcommand: "],
  ["client dance", "There is no command 'client dance'. 'client' needs a subcommand: "],
  ["lab --prot 9000", "hallpass lab has no option '--prot'. Did you mean '--port'?"],
  ["--versoin", "hallpass lab has no option '--versoin'. Did you mean '--version'?"],
  ["check --hlep", "hallpass check has no option '--hlep'. Did you mean '--help'?"],
  ["serve --conifg=a.json", "hallpass serve has no option '--conifg'. Did you mean '--config'?"],
  [
    "client add x --grant authorization_code",
    "hallpass client add has no option '--grant'. Did you mean '--grant-type'?",
  ],
  ["client add x --redirect=https://x", "no option '--redirect'. Did you mean '--redirect-uri'?"],
  // More than one option begins so.
  ["client add x --re", "no option '--re'. See hallpass client add --help."],
  ["key list --dance", "hallpass key list has no option '--dance'. It has: --config, --store, "],
  ["lab 9000", "hallpass lab takes no argument. See hallpass lab --help."],
  ["lab port", "hallpass lab takes no argument. Did you mean '--port'?"],
  ["schema x", "hallpass schema takes no argument. It has no options."],
  ["client show x hunter2", "hallpass client show takes one ID. It has: --config, --store, "],
  ["client add x --secret hunter2", "--secret takes no value."],
  [
    "client add --native x hunter2",
    "hallpass client add takes one ID. See hallpass client add --help.",
  ],
  ["lab --lab-tokenhunter2", "--lab-token needs a space or = before its value."],
  ["lab --LAB-TOKENhunter2", "--lab-token needs a space or = before its value."],
  ["lab -phunter2", "hallpass lab has no option '-p'. See hallpass lab --help."],
  ["client set x --add sekret=hunter2", "--add must name a setting (did you mean 'secret'?)"],
  ["password hunter2", "hallpass password takes no password in its arguments: it is in your shell"],
  ["user password eve hunter2", "hallpass user password takes no password in its arguments"],
  ["user add eve hunter2", "hallpass user add takes no password in its arguments"],
  ["log --since 1", "--since must be a duration such as 7d, or a date such as 2026-11-21: 1"],
  ["log --since 2026", "--since must be a duration such as 7d, or a date"],
  ["log --since 2026-13-01", "--since must be a duration such as 7d, or a date"],
  ["user set eve --claim sub=ada", "--claim cannot set 'sub', a claim that the server sets itself"],
  ["user add eve --claim iss=x", "--claim cannot set 'iss'"],
  ["user set eve --claim email_verified=maybe", "must give 'email_verified' true or false"],
  ["user set eve --claim updated_at=today", "must give 'updated_at' a number"],
  ["user set eve --claim address=Road", "must give 'address' an object in JSON"],
  ["user set eve --claim email", "--claim must be NAME=VALUE: email"],
];

describe("parseArguments", () => {
  for (const [line, says] of refused) {
    it(`helps with: hallpass ${line}`, () => {
      const { message } = assertThrows(() => parse(line), UsageError);
      assertStringIncludes(message, says);
      assertEquals(message.includes("hunter2"), false);
    });
  }
});

describe("The examples of the help", () => {
  for (const { name, examples = [] } of commands) {
    for (const example of examples) {
      it(`are valid: ${example}`, () => {
        const line = example.replace(/^eval "\$\((.*)\)"$/, "$1").replace(/^hallpass /, "")
          .replace(/ > \S+$/, "");
        const parsed = parse(line);
        assert(parsed.kind === "run");
        assert([name, "token"].includes(parsed.command.name), parsed.command.name);
      });
    }
  }

  it("are there for each command that takes settings", () => {
    const without = commands.filter(({ examples, options }) => !examples && options.length > 6);
    assertEquals(without.map(({ name }) => name), []);
  });
});

describe("help", () => {
  it("names each command under the title of its group, on two screens at most", () => {
    const text = help(commandGroups);
    for (const { title } of commandGroups) assertStringIncludes(text, `\n${title}\n`);
    const listed = [...text.matchAll(/^ {2}hallpass (\w+) COMMAND ((?: {3,}.*\n)+)/gm)]
      .flatMap(([, thing, verbs = ""]) =>
        verbs.trim().split(/,\s+/).map((verb) => `${thing} ${verb}`)
      );
    const missing = commands.map(({ name }) => name)
      .filter((name) => !listed.includes(name) && !text.includes(`\n  hallpass ${name} `));
    assertEquals(missing, []);
    assert(text.split("\n").length <= 70);
  });

  it("lists the commands about one thing, which the options of each would hide", () => {
    const parsed = parse("client --help");
    assert(parsed.kind === "help");
    const text = helpFor(parsed.commands);
    assertStringIncludes(
      text,
      "\n  hallpass client add ID            adds a client to the store\n",
    );
    assertEquals(text.includes("--json"), false);
    assertStringIncludes(helpFor(commands.filter(({ name }) => name === "lab")), "\n  --port N");
  });

  it("fits into 80 columns, except for examples, which are copied", () => {
    const examples = commands.flatMap((command) => command.examples ?? []);
    for (const text of [help(commandGroups), ...commands.map(helpOf)]) {
      const lines = text.split("\n").filter((line) => !examples.includes(line.trim()));
      assertEquals(lines.filter((line) => line.length > 80), []);
    }
  });

  it("shows the options of a command in groups, each once", () => {
    for (const command of commands) {
      const text = helpOf(command);
      for (const { name, group } of command.options) {
        const lines = text.split("\n").filter((line) => line.startsWith(`  --${name} `));
        // Those of the lab that a command starts, or visits, are one line.
        const startsLab = command.takesCommand || command.opensLab;
        const isOfLab = (startsLab && name !== "port" && group !== undefined) ||
          (command.name === "doctor" && group === "Lab");
        assertEquals(lines.length, isOfLab ? 0 : 1, `${command.name} --${name}`);
      }
    }
  });

  it("sets only settings that exist", () => {
    const settings = [...Object.keys(schema.properties), "labToken", "redirectUris"];
    const unknown = [...serverOptions, ...labOptions]
      .filter(({ sets }) => sets !== undefined && !settings.includes(sets));
    assertEquals(unknown, []);
  });

  it("has no options left over in a server", () => {
    for (const command of commands.filter(({ name }) => name === "lab" || name === "serve")) {
      const titles = groupOptions(command).map(({ title }) => title);
      assertEquals(titles.includes("Options"), false, command.name);
    }
  });
});
