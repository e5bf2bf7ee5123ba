import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "node:test";
import { findWarnings } from "../../src/program/operate/operation_warnings.ts";
import { serve } from "../../src/runtime/serve.ts";
import { createFullServer } from "../../src/server/features.ts";
import {
  runCommandLine,
  startCommandLine,
  type StartedCommandLine,
} from "../support/command_line.ts";
import { inFolder, openFolder } from "../support/folder.ts";
import { serverAt } from "../support/http.ts";
import { itWith } from "../support/it_with.ts";
import { firstMatch } from "../support/present.ts";
import { type Program, runProgram, startProgram } from "../support/program.ts";
import { siteAt } from "../support/site.ts";
import { testClient } from "../support/test_client.ts";
import { needs } from "../support/where_feature.ts";

const redirectUri = "https://app.example/cb";
const configured = { id: "web", secret: "web-secret", redirectUris: [redirectUri] };
const sealing = { HALLPASS_SECRET: "x".repeat(32) };

/** A server, in this process or in another one. */
type Server = StartedCommandLine | Program;

/** Runs a command with the configuration of a server. */
type RunCommand = (args: string, input?: string) => ReturnType<typeof runCommandLine>;

/** Starts a server on a SQLite file, and runs commands beside it with the same file. */
async function besideServer(
  start: (args: string[], env: typeof sealing) => Promise<Server> = startCommandLine,
  ofClient: object = {},
) {
  const { folder, [Symbol.asyncDispose]: removeFolder } = await openFolder();
  const path = join(folder, "hallpass.json");
  const config = {
    ...{ port: 0, alg: "ES256", registration: "open", store: `sqlite:${join(folder, "a.db")}` },
    ...{ clients: [{ ...configured, ...ofClient }], users: [{ name: "root", password: "root" }] },
  };
  await writeFile(path, JSON.stringify(config));
  const server = await start(["serve", "--config", path], sealing);
  // Port 0 stands for any: commands that print links need to know which one it was.
  const env = { ...sealing, HALLPASS_PORT: new URL(server.issuer).port };
  const run: RunCommand = (args, input) =>
    runCommandLine([...args.split(" "), "--config", path], env, input);
  const dispose = async () => {
    await server.stop();
    await removeFolder();
  };
  return { server, run, folder, [Symbol.asyncDispose]: dispose };
}

/** Returns how many logout tokens wait in the store to be sent. */
async function pendingLogouts(folder: string): Promise<number> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(join(folder, "a.db"));
  const rows = database.prepare("SELECT id FROM rows WHERE kind = 'logout-delivery'").all();
  database.close();
  return rows.length;
}

const it = itWith({
  inFolder: { around: inFolder<void> },
  beside: () => besideServer(),
  withBackChannelLogout: needs("back-channel logout"),
  besideWithApplications: { ...needs("applications"), open: () => besideServer() },
  besideWithAccountPages: { ...needs("account pages"), open: () => besideServer() },
});

/** A browser's way to a code, and the tokens that it gives. */
async function signIn(server: Server, clientId: string, secret: string, user: string) {
  const credentials = { client_id: clientId, client_secret: secret };
  const client = testClient({ ...credentials, redirect_uri: redirectUri, scope: "openid" });
  const door = serverAt(server.issuer);
  return (await client.redeem(door, await client.code(door, {}, { user }))).body;
}

async function userinfo(server: Server, token: string): Promise<number> {
  return (await testClient().userinfo(serverAt(server.issuer), token)).status;
}

/** The server looks for changes after a request, every few seconds. */
async function untilLogged(server: Server, line: RegExp): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!line.test(server.output()) && Date.now() < deadline) {
    await (await fetch(`${server.issuer}/health`)).arrayBuffer();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assertMatch(server.output(), line);
}

describe("hallpass client, user and authorization, while a server runs", () => {
  it("add a client and a user, and disable them, with immediate effect", async () => {
    await using beside = await besideServer(startProgram);
    const { server, run } = beside;
    const added = await run(`client add app --secret --redirect-uri ${redirectUri}`);
    assertEquals(added.code, 0, added.output);
    const secret = firstMatch(added.output, /shown only this once: ([\w-]{43})$/m);
    assertEquals((await run("user add dora --claim email=d@x.example", "dora\n")).code, 0);
    const { access_token } = await signIn(server, "app", secret, "dora");
    assertEquals(await userinfo(server, access_token), 200);
    await run("user disable dora");
    assertEquals(await userinfo(server, access_token), 401);
    await run("user enable dora");
    assertEquals(await userinfo(server, access_token), 401);
    const again = await signIn(server, "app", secret, "dora");
    assertEquals(await userinfo(server, again.access_token), 200);
    await run("client disable app");
    assertEquals(await userinfo(server, again.access_token), 401);
  });

  it.beside("M2: sign a user out, of the configuration or of the store", async (beside) => {
    const { server, run } = beside;
    await run("user add dora", "dora\n");
    for (const name of ["root", "dora"]) {
      const { access_token } = await signIn(server, "web", "web-secret", name);
      assertEquals(
        (await run(`user sign-out ${name}`)).output.trim(),
        `done: user sign-out ${name} (1 session, 1 authorization)`,
      );
      assertEquals(await userinfo(server, access_token), 401, name);
    }
    assertEquals((await run("user sign-out nobody")).code, 1);
  });

  it.withBackChannelLogout("O14 notify the applications before a sign-out ends, and leave nothing to send again", async () => {
    const told: string[] = [];
    let status = 200;
    const application = await serve({
      fetch: async (request) => {
        told.push(await request.text());
        return new Response(null, { status });
      },
    }, { port: 0 });
    const backchannelLogoutUri = `http://localhost:${application.port}/logout`;
    await using beside = await besideServer(startCommandLine, { backchannelLogoutUri });
    const { server, run, folder } = beside;
    const signOut = async () => {
      await signIn(server, "web", "web-secret", "root");
      return (await run("user sign-out root")).output;
    };
    const done = "done: user sign-out root (1 session, 1 authorization)";
    assertEquals(await signOut(), `${done}, 1 application notified\n`);
    assertEquals([told.length, await pendingLogouts(folder)], [1, 0]);
    status = 503;
    const unreached =
      "warning: Could not notify web: each server on this store tries again later.\n";
    assertEquals(await signOut(), `${unreached}${done}, 0 applications notified\n`);
    assertEquals([told.length, await pendingLogouts(folder)], [2, 1]);
    await application.close();
  });

  it.besideWithApplications("show what to enter in an application, and why its last requests were refused", async (beside) => {
    const { server, run, folder } = beside;
    await run(`client add app --secret --redirect-uri ${redirectUri}`);
    const query = new URLSearchParams({ client_id: "app", redirect_uri: `${redirectUri}/other` });
    await (await fetch(`${server.issuer}/oauth2/authorize?${query}`)).text();
    await writeFile(join(folder, "log"), server.output());
    const { code, output } = await run(`doctor --client app --log-file ${join(folder, "log")}`);
    assertEquals(code, 0, output);
    for (
      const line of [
        /Metadata +\S+\/\.well-known\/openid-configuration$/m,
        /Client ID +app$/m,
        /Secret +shown once, .*: hallpass client secret app --add$/m,
        /Redirect URI +https:\/\/app\.example\/cb$/m,
        /PKCE +S256; without it, requests need a nonce\. /m,
        /redirect_uri\.registered: /,
        /To fix it +.* right: hallpass client set app --add redirect-uri=https:\/\/app\.example\/cb\/other$/m,
      ]
    ) assertMatch(output, line);
    assertMatch(
      (await run("doctor --client web")).output,
      /Secret +the one in the configuration$/m,
    );
    assertEquals((await run("doctor --client nobody")).code, 1);
  });

  it.besideWithApplications("leave out the refusals of an application before it signed a user in, or was changed", async ({ server, run, folder }) => {
    const refusalsOf = async (id: string) => {
      await writeFile(join(folder, "log"), server.output());
      return (await run(`doctor --client ${id} --log-file ${join(folder, "log")}`)).output;
    };
    await run(`client add app --secret --redirect-uri ${redirectUri}`);
    for (const id of ["web", "app"]) {
      const query = new URLSearchParams({ client_id: id, redirect_uri: `${redirectUri}/other` });
      await (await fetch(`${server.issuer}/oauth2/authorize?${query}`)).text();
    }
    assertMatch(await refusalsOf("web"), /redirect_uri\.registered/);
    await signIn(server, "web", "web-secret", "root");
    assertMatch(
      await refusalsOf("web"),
      /^Its last token for a user was issued at (\S+)\.\nThe log has no refusal .* since \1\.$/m,
    );
    assertMatch(await refusalsOf("app"), /redirect_uri\.registered/);
    await run("client set app --group staff");
    const changed = await refusalsOf("app");
    assertMatch(changed, /Groups +staff: no other user may use it$/m);
    assertMatch(changed, /^The log has no refusal of this client since \d{4}-\S+\.$/m);
  });

  it.besideWithAccountPages("print links by which users choose a password", async (beside) => {
    const { server, run } = beside;
    const invited = await run("user invite dora --group staff --json");
    const { name, url } = JSON.parse(invited.output);
    const { origin, pathname } = new URL(url);
    assertEquals([name, origin, pathname], ["dora", server.issuer, "/invite"]);
    const opened = await fetch(url, { redirect: "manual" });
    await opened.body?.cancel();
    assertEquals(opened.status, 303);
    assertMatch((await run("user invite dora")).output, /^A link for dora, .*\nhttp:/);
    assertEquals((await run("user invite dora --group editors")).code, 2);
    assertEquals(JSON.parse((await run("user links --json")).output).length, 1);
    assertEquals((await run("user unlink dora")).output, "done: user unlink dora\n");
    assertEquals((await run("user links")).output, "There are no links.\n");
    await run("user password dora", "a-password-of-dora\n");
    assertEquals((await run("user invite dora")).code, 1);
    assertMatch(
      (await run("user reset dora")).output,
      /^http:\S+\/reset\?user=dora&link=[\w-]{43}$/m,
    );
    assertMatch((await run("log --about dora")).output, /user reset +dora/);
    assertEquals((await run("user show dora")).output.includes("staff"), true);
  });

  it.beside("list and revoke authorizations", async ({ server, run }) => {
    const { access_token } = await signIn(server, "web", "web-secret", "root");
    const [{ id, user, client }] = JSON.parse(
      (await run("authorization list --user root --client web --json")).output,
    );
    assertEquals([user, client], ["root", "web"]);
    assertEquals(JSON.parse((await run("authorization list --user nobody --json")).output), []);
    assertEquals((await run(`authorization remove ${id}`)).code, 0);
    assertEquals(await userinfo(server, access_token), 401);
    assertEquals((await run(`authorization remove ${id}`)).code, 1);
  });

  it.beside("are recorded, shown by hallpass log, and logged by the server", async (beside) => {
    const { server, run } = beside;
    assertEquals((await run("log")).output, "There are no changes.\n");
    await run(`client add app --secret --redirect-uri ${redirectUri}`);
    await run("client disable app");
    await run("client disable web");
    const changes = JSON.parse((await run("log --json --since 1d --about app")).output);
    assertEquals(
      changes.map(({ command, target }: Record<string, string>) => `${command} ${target}`),
      ["client add app", "client disable app"],
    );
    assertMatch(changes[0].by, /^(?!unknown)./);
    assertMatch((await run("log")).output, /^TIME +BY +COMMAND +TARGET/);
    assertEquals((await run("log --since yesterday")).code, 2);
    await untilLogged(server, /admin\.changed .*command="client disable" target=app/);
  });

  it.beside("list sessions, and end one", async ({ server, run }) => {
    const { access_token } = await signIn(server, "web", "web-secret", "root");
    const [{ sid, user, clients }] = JSON.parse((await run("session list --json")).output);
    assertEquals([user, clients], ["root", "web"]);
    assertEquals((await run(`session end ${sid}`)).output, `done: session end ${sid}\n`);
    assertEquals(await userinfo(server, access_token), 401);
    assertEquals((await run(`session end ${sid}`)).code, 1);
  });

  it.beside("change the settings of a client, and change it over to a new secret", async (beside) => {
    const { server, run } = beside;
    const shown = /shown only this once: ([\w-]{43})$/m;
    const { output } = await run(`client add app --secret --redirect-uri ${redirectUri}/old`);
    const first = firstMatch(output, shown);
    const set = await run(
      `client set app --add redirect-uri=${redirectUri} --remove redirect-uri=${redirectUri}/old`,
    );
    assertMatch(set.output, /^Changed the client app:\n {2}redirectUris: \+".*cb" -".*old"$/m);
    const second = firstMatch((await run("client secret app --add")).output, shown);
    for (const secret of [first, second]) {
      assert((await signIn(server, "app", secret, "root")).access_token);
    }
    assertEquals(JSON.parse((await run("client secret app --list --json")).output).length, 2);
    assertEquals((await run("client secret app --retire")).code, 0);
    assertEquals((await signIn(server, "app", first, "root")).error, "invalid_client");
    const settings = await run("client set app --stdin", '{ "name": "Documents" }');
    assertMatch(settings.output, /name: default -> "Documents"/);
  });

  it.beside("show tables without secrets", async ({ run }) => {
    await run(
      "client add app --stdin",
      JSON.stringify({
        secret: "secret-from-stdin-22-ch",
        grantTypes: ["client_credentials"],
        scopes: [],
      }),
    );
    const { output } = await run("client list");
    assertMatch(
      output,
      /^ID +NAME +KIND +GRANTS +FROM +STATE\nweb .* configuration +enabled\napp .*confidential +client_credentials +store/,
    );
    assertMatch(
      (await run("user list")).output,
      /^NAME +SUB +FROM +STATE\nroot +root +configuration +enabled\n$/,
    );
    const shown = await run("client show app --json");
    assertEquals(JSON.parse(shown.output).grantTypes, ["client_credentials"]);
    assert(!/secretHash|secret-from-stdin-22-ch/.test(shown.output), shown.output);
    assertMatch((await run("key list")).output, /^KID/);
  });

  it.beside("show a registered client without the hash of its token, and escape control characters", async ({ server, run }) => {
    // A name like this is refused at registration; what a client registers beside it may still
    // hold anything.
    const evil = "\u009b31mEvil\u202e";
    const jwks = {
      keys: [{ kty: "EC", crv: "P-256", x: "x".repeat(43), y: "y".repeat(43), kid: evil }],
    };
    const body = JSON.stringify({ redirect_uris: [redirectUri], client_name: "App", jwks });
    const headers = { "Content-Type": "application/json" };
    const { client_id } =
      await (await fetch(`${server.issuer}/oauth2/register`, { method: "POST", headers, body }))
        .json();
    await run(
      "client add evil --stdin",
      JSON.stringify({ name: evil, redirectUris: [redirectUri] }),
    );
    const show = `client show ${client_id}`;
    for (const command of [show, `${show} --json`, "client list --json"]) {
      const { output } = await run(command);
      assert(!/tokenHash|[\u007f-\u009f\u202e]/.test(output), output);
      assertStringIncludes(output, "\\u009b31mEvil\\u202e");
    }
  });

  it.beside("O11 rotate keys without invalidating tokens, and remove one", async (beside) => {
    const { server, run } = beside;
    const { access_token, id_token } = await signIn(server, "web", "web-secret", "root");
    const { kid } = decodeProtectedHeader(id_token);
    // RSA takes its time: what is not made yet cannot be followed by another one.
    await (await fetch(`${server.issuer}/oauth2/jwks`)).text();
    const states = async (args: string) =>
      JSON.parse((await run(args)).output).map((key: { state: string }) => key.state);
    assertEquals(
      (await states("key rotate --json")).filter((state: string) => state === "next").length,
      2,
    );
    assertEquals((await run("key rotate")).code, 1);
    assertEquals((await states("key list --json")).length, 4);
    assertEquals(await userinfo(server, access_token), 200);
    assertEquals((await run(`key remove ${kid}`)).code, 0);
    assertEquals((await run(`key remove ${kid}`)).code, 1);
  });

  it.inFolder("distinguish a registered client from an added one, and can disable both", async (folder) => {
    const store = ["--store", `sqlite:${join(folder, "lab.db")}`];
    const lab = await startProgram(["lab", "--port", "0", ...store]);
    const metadata = {
      redirect_uris: ["https://app.example/cb"],
      grant_types: ["authorization_code"],
    };
    const init = {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(metadata),
    };
    const registered = await (await fetch(`${lab.issuer}/oauth2/register`, init)).json();
    const listed = async () =>
      JSON.parse((await runCommandLine(["client", "list", "--json", ...store])).output).at(-1);
    const expected = [registered.client_id, "registration"];
    assertEquals([(await listed()).id, (await listed()).from], expected);
    assertEquals((await runProgram(["client", "disable", registered.client_id, ...store])).code, 0);
    const asked = await fetch(registered.registration_client_uri, {
      headers: { Authorization: `Bearer ${registered.registration_access_token}` },
    });
    await asked.arrayBuffer();
    assertEquals([asked.status, (await listed()).state], [401, "disabled"]);
    await lab.stop();
  });

  it.beside("report success and failure by the exit code", async ({ run }) => {
    const cases: Record<string, [code: number, says: RegExp]> = {
      "client remove web": [
        1,
        /^The client 'web' is in the configuration \S+\/hallpass\.json and can only be changed there\.$/m,
      ],
      "client remove nobody": [1, /^There is no client 'nobody'\.$/m],
      "user disable root": [1, /is in the configuration/],
      "client add app --redirect-uri http://app.example/cb --pkce optional": [
        2,
        /^Cannot add the client: 2 problems in its configuration$/m,
      ],
      "client add app --pkce never": [2, /pkce must be one of: required, or-nonce, optional/],
      "client set web --name x": [1, /is in the configuration/],
      "client set app": [2, /needs a setting to change/],
      "client set app --unset nam": [
        2,
        /^--unset must name a setting \(did you mean 'name'\?\): nam$/m,
      ],
      "client set app --add name=x": [1, /^There is no client 'app'\.$/m],
      "client secret app": [2, /needs one of --add, --retire, --drop and --list/],
      "client disable": [2, /^Usage: hallpass client disable ID$/m],
      "client fly": [2, /'client' needs a subcommand: client list/],
      "client list --fly": [2, /hallpass client list has no option '--fly'/],
      "user add dora": [2, /^Standard input holds no password\.$/m],
      "client list --store memory": [2, /needs a persistent store/],
    };
    for (const [args, [code, says]] of Object.entries(cases)) {
      const result = await run(args);
      assertEquals(result.code, code, `${args}: ${result.output}`);
      assertMatch(result.output, says);
      assert(!result.output.includes("    at "), result.output);
    }
  });

  it.inFolder("reject a store that is encrypted with another secret", async (folder) => {
    const store = ["--store", `sqlite:${join(folder, "a.db")}`];
    const server = await startCommandLine(
      ["lab", "--port", "0", "--alg", "ES256", ...store],
      sealing,
    );
    await (await fetch(`${server.issuer}/oauth2/jwks`)).arrayBuffer();
    await server.stop();
    const { code, output } = await runCommandLine(["key", "list", ...store], {
      HALLPASS_SECRET: "y".repeat(32),
    });
    assertEquals([code, /encrypted with another secret/.test(output)], [2, true]);
  });
});

describe("hallpass commands on a store that serve refuses", () => {
  /** Makes the store of a lab or of a server, with its keys, and runs commands on it. */
  async function openRefused(maker: "lab" | "serve") {
    const { folder, [Symbol.asyncDispose]: remove } = await openFolder();
    const path = join(folder, "a.db");
    const args = ["--store", `sqlite:${path}`];
    const config = { HALLPASS_CONFIG_JSON: JSON.stringify({ port: 0, alg: "ES256" }) };
    const server = await startCommandLine([maker, ...args], config);
    await (await fetch(`${server.issuer}/oauth2/jwks`)).arrayBuffer();
    await server.stop();
    const run: RunCommand = (command, input) =>
      runCommandLine([...command.split(" "), ...args], config, input);
    return { path, run, [Symbol.asyncDispose]: remove };
  }

  /** Changes a row, as damage or another version might. */
  async function change(path: string, kind: string, id: string, value: string): Promise<void> {
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(path);
    database.prepare("UPDATE rows SET value = ? WHERE kind = ? AND id = ?").run(value, kind, id);
    database.close();
  }

  it("V5: warn of a lab's store, and do not make it one that serve accepts", async () => {
    await using store = await openRefused("lab");
    const warning = /^warning: This store was used by a lab, whose signing keys are public\./m;
    for (const command of ["user list", "client list", "key list"]) {
      const { code, output } = await store.run(command);
      assertEquals(code, 0, output);
      assertMatch(output, warning);
    }
    const [{ kid }] = JSON.parse((await store.run("key list --json")).output);
    for (const command of ["key rotate", `key remove ${kid}`]) {
      const { code, output } = await store.run(command);
      assertEquals(code, 2, output);
      assertMatch(output, /^This store was used by a lab, whose signing keys are public\./m);
    }
  });

  it("V5: check refuses a key that is none, and lets it be removed", async () => {
    await using store = await openRefused("serve");
    const kid = "damaged";
    const key = { kid, alg: "ES256", from: 0, encryptedKey: "{}" };
    await change(store.path, "key", "ES256", JSON.stringify(key));
    const { code, output } = await store.run("check");
    assertEquals(code, 2, output);
    assertMatch(output, new RegExp(`The signing key '${kid}' in the store is damaged`));
    assertEquals((await store.run(`key remove ${kid}`)).code, 0);
    assertEquals((await store.run("check")).code, 0);
  });

  for (const [kind, id] of [["key", "ES256"], ["user", "ada"]] as const) {
    it(`V5: name a row of the kind '${kind}' that is empty`, async () => {
      await using store = await openRefused("serve");
      await store.run("user add ada", "a-long-password-of-ada\n");
      await change(store.path, kind, id, "null");
      const { code, output } = await store.run("user list");
      assertEquals(code, 2, output);
      assertMatch(output, new RegExp(`The store holds a row of the kind '${kind}' in a form`));
    });
  }
});

describe("hallpass health", () => {
  it("asks a running server, and exits with 0 or 1", async () => {
    const lab = await startCommandLine(["lab", "--port", "0"]);
    const { port } = new URL(lab.issuer);
    assertEquals((await runProgram(["health", "--port", port])).code, 0);
    assertEquals((await runCommandLine(["health"], { PORT: port })).code, 0);
    const lost = await runProgram(["health", "--url", `${lab.issuer}/nowhere`]);
    const notFound = `${lab.issuer}/nowhere responded with status 404\n`;
    assertEquals([lost.code, lost.output], [1, notFound]);
    const other = ["health", "--port", port, "--issuer", "http://localhost:1"];
    const mistaken = await runCommandLine(other);
    const isAnother = `${lab.issuer}/health responded, but as the server of ${lab.issuer}\n`;
    assertEquals([mistaken.code, mistaken.output], [1, isAnother]);
    await lab.stop();
    const gone = await runCommandLine(["health", "--port", port]);
    assertEquals(gone.code, 1);
    assertMatch(gone.output, /^http:\/\/localhost:\d+\/health did not respond: .+\n$/);
  });

  it("P1: waits until a server is ready", async () => {
    const states = [{ issuer: "", reason: "The server is starting." }, {
      issuer: "https://id.example",
    }];
    const asked = ["health", "--wait", "60", "--url"];
    const fetch = async () => {
      const [state] = states.length > 1 ? states.splice(0, 1) : states;
      return Response.json(state, { status: state?.reason ? 503 : 200 });
    };
    const listening = await serve({ fetch }, { port: 0 });
    const url = `http://localhost:${listening.port}/ready`;
    const { code, output } = await runCommandLine([...asked, url]);
    assertEquals([code, output], [0, `${url} responded with status 200\n`]);
    states.unshift({ issuer: "", reason: "The server is starting." });
    const port = ["--port", "1", "--metrics-port", `${listening.port}`];
    const options = ["health", "--issuer", "https://id.example", ...port];
    const starting = await runCommandLine(options);
    await listening.close();
    const why = `${url} responded with status 503: The server is starting.\n`;
    assertEquals([starting.code, starting.output], [1, why]);
  });
});

describe("The warning about a port that is not the issuer's", () => {
  const cases: Array<[issuer: string, port: number, warns: boolean]> = [
    ["http://localhost:9001", 9000, true],
    ["http://127.0.0.1:8080", 9000, true],
    ["http://[::1]:8080/realms/acme", 9000, true],
    ["https://localhost", 9000, true],
    ["http://localhost:9000", 9000, false],
    ["http://localhost", 80, false],
    ["https://localhost/", 443, false],
    ["https://id.example", 9000, false],
    ["http://localhost:9000", 0, false],
  ];
  for (const [issuer, port, warns] of cases) {
    it(`is ${warns ? "given" : "not given"} for ${issuer} and the port ${port}`, () => {
      const site = siteAt({ issuer }, { port });
      const { settings } = createFullServer({ issuer }).context;
      const found = findWarnings({ site, settings }).filter(({ about }) => about === "address");
      assertEquals(found.length, warns ? 1 : 0);
    });
  }
});

describe("hallpass check", () => {
  async function checked(content: unknown, env: Record<string, string> = {}) {
    return await inFolder(async (folder) => {
      await mkdir(join(folder, "there"));
      const path = join(folder, "hallpass.json");
      await writeFile(path, JSON.stringify(content).replaceAll("FOLDER", folder));
      return await runCommandLine(["check", "--config", path], env);
    });
  }

  it("reports all problems at once: configuration, TLS, store, missing secrets", async () => {
    const { code, output } = await checked({
      clients: [{
        id: "a",
        secret: { env: "HALLPASS_NOT_SET" },
        redirectUris: ["http://app.example/cb"],
      }, { id: "a" }],
      cert: "FOLDER/no.pem",
      key: "FOLDER/no.pem",
      store: "sqlite:FOLDER/nowhere/a.db",
    });
    assertEquals(code, 2);
    for (
      const says of [
        /^The configuration is not valid: 6 problems$/m,
        /HALLPASS_NOT_SET, which is not set/,
        /no.pem cannot be read/,
        /there is no folder/,
        /contains 'a' more than once/,
        /redirectUris\[0\] uses http/,
      ]
    ) assertMatch(output, says);
  });

  it("warns if nothing will listen at the issuer", async () => {
    const { code, output } = await checked({ issuer: "http://localhost:9001", port: 9000 });
    assertEquals(code, 0, output);
    assertMatch(
      output,
      /^warning: The issuer is http:\/\/localhost:9001, but the server listens on port 9000/m,
    );
  });

  it("prints what the server would offer, with every leniency that is on", async () => {
    const { code, output } = await checked({
      issuer: "https://id.example",
      store: "sqlite:FOLDER/there/a.db",
      refreshReuseGrace: "10s",
      clients: [{
        id: "old",
        secret: "s",
        redirectUris: [redirectUri],
        pkce: "optional",
        redirectUriAtToken: "if-present",
      }],
    });
    assertEquals(code, 0, output);
    for (
      const says of [
        /^The configuration is valid\.$/m,
        /^Issuer +https:\/\/id\.example$/m,
        /^Profile +oauth-2\.1$/m,
        /^Clients +old$/m,
        /^ {2}- refreshReuseGrace .*10 seconds.*\(OAuth 2\.1, section 4\.3\.1\)$/m,
        /^ {2}- client old: pkce .*\(OAuth 2\.1, section 7\.5\.1\)$/m,
        /^ {2}- client old: redirectUriAtToken .*\(OAuth 2\.1, section 10\.2\)$/m,
      ]
    ) assertMatch(output, says);
  });

  it.inFolder("reports that a store is encrypted with another secret", async (folder) => {
    const path = join(folder, "hallpass.json");
    await writeFile(
      path,
      JSON.stringify({ port: 0, alg: "ES256", store: `sqlite:${join(folder, "a.db")}` }),
    );
    const server = await startCommandLine(["serve", "--config", path], sealing);
    await (await fetch(`${server.issuer}/oauth2/jwks`)).arrayBuffer();
    await server.stop();
    assertEquals((await runCommandLine(["check", "--config", path], sealing)).code, 0);
    const { code, output } = await runCommandLine(["check", "--config", path], {
      HALLPASS_SECRET: "y".repeat(32),
    });
    assertEquals(code, 2);
    assertMatch(output, /encrypted with another secret/);
  });

  it.inFolder("leaves no file behind", async (folder) => {
    const path = join(folder, "hallpass.json");
    await writeFile(path, JSON.stringify({ store: `sqlite:${join(folder, "a.db")}` }));
    await runProgram(["check", "--config", path]);
    assertEquals(await readdir(folder), ["hallpass.json"]);
  });
});

describe("hallpass COMMAND --help", () => {
  it("explains the command and its options", async () => {
    const { code, output } = await runProgram(["client", "add", "--help"]);
    assertEquals(code, 0);
    assertMatch(output, /^hallpass client add ID\n\nadds a client to the store\n/);
    for (
      const option of ["--config", "--store", "--secret", "--stdin", "--redirect-uri", "--json"]
    ) {
      assert(output.includes(option), option);
    }
  });
});
