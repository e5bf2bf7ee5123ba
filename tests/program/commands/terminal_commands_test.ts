import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "node:test";
import { parseArguments } from "../../../src/program/command_line/arguments.ts";
import { commands } from "../../../src/program/commands.ts";
import { UsageError } from "../../../src/program/terminal/exit_code.ts";
import {
  type Environment,
  readPassword,
  type Terminal,
} from "../../../src/program/terminal/terminal.ts";
import { ConfigError } from "../../../src/server/config/problems.ts";
import { createFullServer } from "../../../src/server/features.ts";
import { AdminError } from "../../../src/server/issuer/records/lock.ts";
import { sqliteStore } from "../../../src/server/store/sqlite.ts";
import { runCommandLine, terminalWith } from "../../support/command_line.ts";
import { openFolder } from "../../support/folder.ts";
import { itWith } from "../../support/it_with.ts";

const it = itWith({ inFolder: openFolder });

/** Runs a command line on the store of a folder, and returns what was asked and printed. */
async function runIn(
  folder: string,
  args: string,
  answers?: string[],
  input = "",
  environment: Environment = {},
) {
  const { terminal, questions, printed } = terminalWith({
    ...answers && { answers },
    input,
    environment,
  });
  const words = [...args.split(" "), "--store", `sqlite:${join(folder, "a.db")}`];
  const parsed = parseArguments(words, {}, commands);
  if (parsed.kind !== "run") throw new Error(`No command: ${args}`);
  await parsed.command.run(parsed.invocation, terminal);
  return { questions, printed: printed.join("\n") };
}

const addApp = "client add app --secret --redirect-uri https://app.example/cb";

describe("A removal", () => {
  it.inFolder("asks first on a terminal, and says what it removed", async ({ folder }) => {
    await runIn(folder, addApp);
    const { questions, printed } = await runIn(folder, "client remove app", ["y"]);
    assertEquals(questions, ["Remove the client 'app'? [y/N] "]);
    assertEquals(printed, "done: client remove app (1 client)");
  });

  for (const answer of ["", "n", "no", "yes please"]) {
    it.inFolder(`removes nothing when the answer is '${answer}'`, async ({ folder }) => {
      await runIn(folder, addApp);
      const removal = () => runIn(folder, "client remove app", [answer]);
      await assertRejects(removal, AdminError, "Nothing was removed.");
      assertEquals(JSON.parse((await runIn(folder, "client list --json")).printed).length, 1);
    });
  }

  it.inFolder("asks nothing with --yes, and nothing without a terminal", async ({ folder }) => {
    await runIn(folder, addApp);
    assertEquals((await runIn(folder, "client remove app --yes", [])).questions, []);
    await runIn(folder, addApp);
    const { printed } = await runIn(folder, "client remove app --json");
    assertEquals(JSON.parse(printed), {
      command: "client remove",
      id: "app",
      ended: { clients: 1, authorizations: 0, consents: 0 },
      notified: [],
      unreached: [],
    });
  });

  const missing = ["client remove x", "user remove x", "key remove x", "authorization remove x"];
  for (const command of missing) {
    it.inFolder(`asks nothing about what does not exist: ${command}`, async ({ folder }) => {
      await assertRejects(() => runIn(folder, command, ["y"]), AdminError, "There is no");
    });
  }
});

describe("readPassword", () => {
  it("asks twice on a terminal", async () => {
    const { terminal, questions } = terminalWith({ answers: ["s3cret", "s3cret"] });
    assertEquals(await readPassword(terminal), "s3cret");
    assertEquals(questions, ["Password: ", "The same again: "]);
  });

  it("reads standard input if that is no terminal", async () => {
    assertEquals(await readPassword(terminalWith({ input: "s3cret\n" }).terminal), "s3cret");
  });

  it("warns about a short password, and takes it", async () => {
    const said = async (input: string) => {
      const { terminal, printed } = terminalWith({ input });
      assertEquals(await readPassword(terminal), input);
      return printed;
    };
    assertEquals(await said("1234567"), ["The password is shorter than 8 characters."]);
    assertEquals(await said("12345678"), []);
  });

  const refused: Array<[what: string, terminal: Terminal, says: string]> = [
    ["two passwords", terminalWith({ answers: ["one", "other"] }).terminal, "differ"],
    ["an empty answer", terminalWith({ answers: ["", ""] }).terminal, "is empty"],
    ["empty input", terminalWith({ input: "\n" }).terminal, "holds no password"],
  ];
  for (const [what, terminal, says] of refused) {
    it(`refuses ${what}`, async () => {
      await assertRejects(() => readPassword(terminal), UsageError, says);
    });
  }
});

/** Lets a server make its keys in the store of a folder. */
async function makeKeys(folder: string, secret: string): Promise<void> {
  const store = sqliteStore(join(folder, "a.db"));
  const server = createFullServer({ issuer: "https://id.example", alg: "ES256", store, secret });
  await server.ready();
  await server.close();
}

describe("hallpass key reseal", () => {
  const earlier = { HALLPASS_SECRET: "the earlier secret, of 32 characters or more" };
  const present = { HALLPASS_SECRET: "the present secret, of 32 characters or more" };
  const both = { ...present, HALLPASS_OLD_SECRET: earlier.HALLPASS_SECRET };
  const run = (folder: string, args: string, environment: Environment) =>
    runIn(folder, args, undefined, "", environment);

  it.inFolder("encrypts the store with another secret, and can be repeated", async ({ folder }) => {
    await makeKeys(folder, earlier.HALLPASS_SECRET);
    const { printed } = await run(folder, "key reseal", both);
    assertMatch(printed, /^Encrypted \d+ rows? with the new secret\./);
    const again = await run(folder, "key reseal", both);
    assertEquals(again.printed, "Nothing to do: every row has the new secret already.");
    await run(folder, "key list", present);
    await assertRejects(() => run(folder, "key list", earlier), Error, "another secret");
    const changes = JSON.parse((await run(folder, "log --json", present)).printed);
    const commands = changes.map(({ command }: { command: string }) => command);
    assertEquals(commands.filter((each: string) => each === "key reseal").length, 1);
  });

  it.inFolder("needs both secrets, and the right ones", async ({ folder }) => {
    await makeKeys(folder, earlier.HALLPASS_SECRET);
    for (const environment of [{}, present, { ...both, ...earlier }]) {
      const reseal = () => run(folder, "key reseal", environment);
      await assertRejects(reseal, UsageError, "needs two different secrets");
    }
    const wrong = { ...both, HALLPASS_OLD_SECRET: "x".repeat(32) };
    const attempt = () => run(folder, "key reseal", wrong);
    await assertRejects(attempt, UsageError, "Nothing was changed");
    await run(folder, "key list", earlier);
  });
});

describe("hallpass user set and user show", () => {
  it.inFolder("change and show the claims of a user", async ({ folder }) => {
    await runIn(folder, "user add dora --claim email=d@x.example", undefined, "s3cret\n");
    const { printed } = await runIn(
      folder,
      "user set dora --claim name=Dora --claim age=40 --unset email",
    );
    assertEquals(printed, "Changed the user dora: email, name, age");
    assertEquals(JSON.parse((await runIn(folder, "user show dora")).printed), {
      name: "dora",
      sub: "dora",
      from: "store",
      state: "enabled",
      hasPassword: true,
      claims: { name: "Dora", age: 40 },
      sessions: 0,
      authorizations: 0,
      consents: 0,
    });
    const again = await runIn(folder, "user set dora --claim name=Dora");
    assertEquals(again.printed, "Nothing is different: the user dora has these claims already.");
    const [, change] = JSON.parse((await runIn(folder, "log --json")).printed);
    assertEquals([change.command, change.details], ["user set", "claims: email, name, age"]);
  });

  it.inFolder("add a user to groups, and take them out, which the log names", async ({ folder }) => {
    const password = "s3cret-enough\n";
    await runIn(folder, "user add dora --group staff --group admins", undefined, password);
    const show = async () => JSON.parse((await runIn(folder, "user show dora")).printed).claims;
    assertEquals(await show(), { groups: ["staff", "admins"] });
    await runIn(folder, "user set dora --add group=editors --remove group=admins");
    assertEquals(await show(), { groups: ["staff", "editors"] });
    const [, change] = JSON.parse((await runIn(folder, "log --json")).printed);
    assertEquals(change.details, 'claims: groups; groups: +"editors" -"admins"');
    await runIn(folder, "user set dora --remove group=staff --remove group=editors");
    assertEquals(await show(), {});
    const many = Array.from({ length: 51 }, (_, at) => `--add group=g${at}`).join(" ");
    await assertRejects(() => runIn(folder, `user set dora ${many}`), ConfigError, "at most 50");
    await assertRejects(() => runIn(folder, "user set dora --add staff"), UsageError, "group=NAME");
  });

  it.inFolder("refuse the name of another user as preferred_username", async ({ folder }) => {
    await runIn(folder, "user add ada", undefined, "long enough");
    const claim = "--claim preferred_username=ada";
    const add = () => runIn(folder, `user add eve ${claim}`, undefined, "long enough");
    await assertRejects(add, AdminError, "is the name of another user");
    await runIn(folder, "user add eve", undefined, "long enough");
    const set = () => runIn(folder, `user set eve ${claim}`);
    await assertRejects(set, AdminError, "is the name of another user");
    await runIn(folder, "user set eve --claim preferred_username=evi");
    const taken = () => runIn(folder, "user add evi", undefined, "long enough");
    await assertRejects(taken, AdminError, "is the preferred_username of another user");
  });

  it.inFolder("keep the name of a user who was removed, unless it is reused", async ({ folder }) => {
    const add = (options = "") =>
      runIn(
        folder,
        `user add dora --sub ${options ? 2 : 1} ${options}`.trim(),
        undefined,
        "long enough",
      );
    await add();
    await runIn(folder, "user remove dora --yes");
    await assertRejects(add, AdminError, "There was a user 'dora' until ");
    assertStringIncludes((await add("--reuse")).printed, "Added the user dora");
  });

  it.inFolder("record the person who uses sudo", async ({ folder }) => {
    await runIn(folder, addApp, undefined, "", { SUDO_USER: "grace" });
    const [{ by }] = JSON.parse((await runIn(folder, "log --json")).printed);
    assertStringIncludes(by, "grace as ");
  });

  it.inFolder("name the claim that was probably meant to be removed", async ({ folder }) => {
    await runIn(folder, "user add dora --claim name=Dora", undefined, "long enough");
    const set = () => runIn(folder, "user set dora --unset nmae");
    await assertRejects(set, UsageError, "has no claim 'nmae'. Did you mean 'name'?");
    const { printed } = await runIn(folder, "user set dora --unset picture");
    assertStringIncludes(printed, "Nothing is different");
  });

  it.inFolder("say that a store is new, which a typo in its name makes", async ({ folder }) => {
    const { printed } = await runIn(folder, "user list");
    assertStringIncludes(printed, "it is new, and empty.\nThere are no users.");
    assertEquals((await runIn(folder, "user list")).printed, "There are no users.");
  });

  it.inFolder("make no store for a server whose settings are wrong, and start none", async ({ folder }) => {
    const settings: Array<[config: object, words: RegExp]> = [
      [{ scops: {} }, /^Cannot open the store of the server: 1 problem .*\n {2}- scops is not/],
      [{ mtlsPort: -1 }, /^Cannot open the store of the server: 1 problem .*\n {2}- mtlsPort/],
    ];
    for (const [config, words] of settings) {
      const store = `sqlite:${join(folder, "new.db")}`;
      const HALLPASS_CONFIG_JSON = JSON.stringify({
        issuer: "https://a.example",
        store,
        ...config,
      });
      const add = ["client", "add", "app", "--redirect-uri", "https://a.example/cb"];
      const { code, output } = await runCommandLine(add, { HALLPASS_CONFIG_JSON });
      assertEquals(code, 2);
      assertMatch(output, words);
      assertEquals((await readdir(folder)).filter((name) => name.startsWith("new.db")), []);
    }
  });

  it.inFolder("refuse a client of which nothing is known", async ({ folder }) => {
    await assertRejects(() => runIn(folder, "client add foo"), UsageError, "--redirect-uri URI");
  });

  it.inFolder("refuse what is missing", async ({ folder }) => {
    await assertRejects(() => runIn(folder, "user set dora"), UsageError, "needs --claim");
    await assertRejects(() => runIn(folder, "user show dora"), AdminError, "no user 'dora'");
    const set = () => runIn(folder, "user set dora --claim a=b");
    await assertRejects(set, AdminError, "no user 'dora'");
  });
});

describe("hallpass client show", () => {
  it.inFolder("marks what a client has by default", async ({ folder }) => {
    await runIn(folder, "client add app --redirect-uri https://a.example/cb --pkce required");
    const { printed } = await runIn(folder, "client show app --json");
    const { defaults, pkce, native } = JSON.parse(printed);
    assertEquals([pkce, native], ["required", false]);
    const marked = ["pkce", "redirectUris", "native", "scopes"];
    assertEquals(marked.filter((name) => defaults.includes(name)), ["native", "scopes"]);
  });

  it.inFolder("has a line for each setting, what the client was given first", async ({ folder }) => {
    const uris = "--redirect-uri https://a.example/cb --redirect-uri https://b.example/cb";
    await runIn(folder, `client add app ${uris} --pkce required`);
    const { printed } = await runIn(folder, "client show app");
    const lines = printed.split("\n");
    assertEquals(lines.slice(0, 3), [
      "SETTING             FROM     VALUE",
      "redirectUris        store    https://a.example/cb https://b.example/cb",
      "pkce                store    required",
    ]);
    assertEquals(
      lines.includes("grantTypes          default  authorization_code refresh_token"),
      true,
    );
    // What is empty or off says nothing.
    assertEquals(/\[\]|false|undefined|idJag/.test(printed), false);
    assertEquals(lines.length < 30, true, printed);
  });
});

describe("hallpass key rotate", () => {
  it("I10: fails if it has nothing to do, says why, and records nothing", async () => {
    await using opened = await openFolder();
    const { folder } = opened;
    const rotate = () => runIn(folder, "key rotate");
    await assertRejects(rotate, AdminError, "A server creates them on demand.");
    const store = sqliteStore(join(folder, "a.db"));
    await createFullServer({ issuer: "https://id.example", store }).ready();
    await store.close();
    assertMatch((await rotate()).printed, /next/);
    await assertRejects(rotate, AdminError, "the next one is already waiting: RS256");
    const { printed } = await runIn(folder, "log");
    assertEquals(printed.match(/key rotate/g)?.length, 1);
  });
});
