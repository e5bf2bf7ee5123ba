import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { describe } from "node:test";
import { helpOf } from "../../../src/program/command_line/help.ts";
import { commands } from "../../../src/program/commands.ts";
import { runCommandLine } from "../../support/command_line.ts";
import { openFolder } from "../../support/folder.ts";
import { itWith } from "../../support/it_with.ts";
import { needs } from "../../support/where_feature.ts";

const redirect = ["--redirect-uri", "https://wiki.example/cb"];

/** Runs commands on a store of their own. */
async function openStore() {
  const { folder, [Symbol.asyncDispose]: dispose } = await openFolder();
  const run = async (line: string, ...more: string[]) => {
    const args = [...line.split(" "), ...more, "--store", `sqlite:${join(folder, "a.db")}`];
    const { output } = await runCommandLine(args, {}, "a password of ada");
    return output;
  };
  return { run, [Symbol.asyncDispose]: dispose };
}

const it = itWith({
  withStore: openStore,
  withStoreWithAccountPages: { ...needs("account pages"), open: openStore },
});
const missing = /^warning: No user is in the group '(\w+)'\. Is it misspelled\?$/gm;
const groupsIn = (output: string) => [...output.matchAll(missing)].map(([, group]) => group);

describe("A command for a client", () => {
  it.withStore("warns of a group that no user is in, which may be misspelled", async ({ run }) => {
    await run("user add ada --group staff");
    const added = await run("client add wiki --group staff --group stafff", ...redirect);
    assertEquals(groupsIn(added), ["stafff"]);
    assertEquals(groupsIn(await run("client set wiki --group satff")), ["satff"]);
    assertEquals(groupsIn(await run("client set wiki --group staff")), []);
    assertEquals(groupsIn(await run("client set wiki --name Wiki")), []);
  });

  it("has no default that is undefined", () => {
    for (const command of commands) {
      assertEquals(/undefined/.exec(helpOf(command)), null, command.name);
    }
  });
});

const lack = /^Applications may need what (\w+) lacks: (.*)\. To add it: hallpass user set (.*)$/m;
const lackIn = (output: string) => lack.exec(output)?.slice(1);
const complete = ["--claim", "name=Ada", "--claim", "email=a@b.example"];

describe("A command that adds a user", () => {
  it.withStore("names what applications often need and the user lacks", async ({ run }) => {
    assertEquals(lackIn(await run("user add ada --claim email=ada@example.org")), [
      "ada",
      "no name, no verified e-mail address, no group",
      'ada --claim name="…" --claim email_verified=true --add group=…',
    ]);
    const verified = [...complete, "--claim", "email_verified=true"];
    assertEquals(lackIn(await run("user add bob", ...verified)), undefined);
    assertEquals(lackIn(await run("user add eve --group staff", ...complete)), [
      "eve",
      "no verified e-mail address",
      "eve --claim email_verified=true",
    ]);
  });

  it.withStoreWithAccountPages("does so with the link of an invited user", async ({ run }) => {
    assertMatch(await run("user invite dora --group staff"), lack);
    assertEquals(lackIn(await run("user invite dora")), undefined);
  });
});
