import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { get as httpsGet } from "node:https";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { describe } from "node:test";
import deno from "../../deno.json" with { type: "json" };
import { pbkdf2Passwords } from "../../src/server/config/passwords.ts";
import { eventually } from "../support/eventually.ts";
import { openFolder } from "../support/folder.ts";
import { serverAt } from "../support/http.ts";
import { itWith } from "../support/it_with.ts";
import { listen, serveDocument } from "../support/listen.ts";
import { firstMatch } from "../support/present.ts";
import { commandFor, type Program, runProgram, startProgram } from "../support/program.ts";
import { formPost, openRawConnection } from "../support/raw_connection.ts";
import { testClient } from "../support/test_client.ts";
import { hasFeature, needs } from "../support/where_feature.ts";

const startLab = (...options: string[]) => startProgram(["lab", "--port", "0", ...options]);

const it = itWith({
  withLab: () => startLab(),
  withAnyClient: needs("any_client"),
  withFaults: needs("faults"),
});

/** Makes a folder with a configuration file. */
async function openConfig(content: unknown, name = "hallpass.json") {
  const opened = await openFolder();
  const path = join(opened.folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return { ...opened, path };
}

/** Checks that a command ends with an exit code and a message about a configuration. */
async function assertEnds(command: string, content: unknown, code: number, message: RegExp) {
  await using file = await openConfig(content);
  const ended = await runProgram([command, "--config", file.path]);
  assertEquals(ended.code, code, ended.output);
  assertMatch(ended.output, message);
}

/** Fetches from a server, and reads a body to its end, so that the connection is free again. */
async function statusOf(url: string, init?: RequestInit): Promise<number> {
  const response = await fetch(url, { redirect: "manual", ...init });
  await response.arrayBuffer();
  return response.status;
}

function postJson(url: string, body: object): Promise<number> {
  const headers = { "Content-Type": "application/json" };
  return statusOf(url, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Returns the command of the program with a folder to start in. */
function commandIn(folder: string): string[] {
  const command = commandFor("src/main.ts");
  const file = resolve(command.pop() ?? "");
  return ["sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", folder, ...command, file];
}

describe("An invalid command line", () => {
  it("is explained, with the exit code 2 and without a stack", async () => {
    const { code, output } = await runProgram(["fly"]);
    assertEquals(code, 2);
    assertMatch(output, /no command 'fly'/);
    assert(!output.includes("    at "), output);
  });

  it("is explained if the environment is wrong", async () => {
    const { code, output } = await runProgram(["lab"], { HALLPASS_PORT: "many" });
    assertEquals(code, 2);
    assertMatch(output, /HALLPASS_PORT must be a port/);
  });

  it("names the variable that is wrong", async () => {
    assertMatch((await runProgram(["lab"], { PORT: "abc" })).output, /^PORT must be a port/);
  });

  it("reports that a port is in use", async () => {
    await using taken = await listen(createServer());
    const { port } = taken;
    const { code, output } = await runProgram(["lab", "--port", `${port}`]);
    assertEquals(code, 1);
    assertMatch(output, new RegExp(`port ${port} is already in use`));
  });

  it("reports the problems of a configuration even if its port is in use", async () => {
    await using lab = await startLab();
    const port = Number(new URL(lab.issuer).port);
    const config = { issuer: "http://example.com", clients: [{ id: "" }], port };
    await assertEnds("serve", config, 2, /Cannot start the server: \d+ problems?/);
  });
});

describe("A program that a test starts", () => {
  it("G4: prints nothing about node_modules, which Deno leaves alone", () => {
    const onDeno = "Deno" in globalThis;
    assertEquals(commandFor("src/main.ts").includes("--node-modules-dir=manual"), onDeno);
  });
});

describe("hallpass --help and --version", () => {
  it("explains only the commands that begin with a word", async () => {
    const { code, output } = await runProgram(["key", "--help"]);
    assertEquals(code, 0);
    for (const command of ["hallpass key list", "hallpass key rotate", "hallpass key remove KID"]) {
      assert(output.includes(command), command);
    }
    assert(!output.includes("hallpass lab"), output);
  });

  it("explains the environment and the exit codes, and every option of a command", async () => {
    const { code, output } = await runProgram(["--help"]);
    assertEquals(code, 0);
    const texts = ["HALLPASS_PORT", "HALLPASS_SECRET", "8 a client, an application or an API"];
    assertEquals(texts.filter((text) => !output.includes(text)), []);
    const { output: ofLab } = await runProgram(["lab", "--help"]);
    const options = [
      ...["--port", "--host", "--issuer", "--store", "--redirect-uri", "--alg", "--expose"],
      ...["--lab-token", "--cert", "--key", "--config"],
    ];
    assertEquals(options.filter((option) => !ofLab.includes(option)), []);
  });

  it("prints the version", async () => {
    assertEquals((await runProgram(["--version"])).output, `hallpass ${deno.version}\n`);
  });
});

describe("A program of a test", () => {
  it("may end before it has read its input", async () => {
    const { code } = await runProgram([], {}, "x".repeat(1024 * 1024), ["true"]);
    assertEquals(code, 0);
  });
});

describe("The line that programs wait for", () => {
  it("K6: ends with the URL at which the lab is reached, whatever its issuer is", async () => {
    const paths = { "https://login.example": "", "https://login.example/idp/": "/idp" };
    for (const [issuer, path] of Object.entries(paths)) {
      await using lab = await startLab("--issuer", issuer);
      const line = firstMatch(lab.output(), /^hallpass ready (.*)$/m);
      const [named, , url = ""] = line.split(" ");
      assertEquals([named, new URL(url).pathname], [issuer, path || "/"]);
      const metadata = await fetch(`${url}/.well-known/openid-configuration`);
      assertEquals((await metadata.json()).issuer, issuer);
      assertEquals(await (await fetch(`${url}/lab/tenants`)).json(), []);
    }
  });
});

describe("hallpass password", () => {
  it("prints a hash for a configuration", async () => {
    const { code, output } = await runProgram(["password"], {}, "wonderland\n");
    assertEquals(code, 0);
    assertMatch(output, /^pbkdf2-sha256\$600000\$[\w-]{22}\$[\w-]{43}\n$/);
    assertEquals(await pbkdf2Passwords.verify("wonderland", output.trim()), true);
  });
});

describe("hallpass token", () => {
  const labToken = "a-token-of-this-lab";

  it("prints an access token of a running lab", async () => {
    await using lab = await startLab("--lab-token", labToken);
    const args = ["token", "alice", "--lab", lab.issuer, "--scope", "openid read"];
    const { code, output } = await runProgram(args, { HALLPASS_LAB_TOKEN: labToken });
    assertEquals(code, 0);
    assertEquals(decodeJwt(output.trim()).sub, "alice");
  });

  it.withLab("N7: finds the lab at the port that the environment names", async (lab) => {
    const HALLPASS_PORT = new URL(lab.issuer).port;
    const { code, output } = await runProgram(["token", "alice"], { HALLPASS_PORT });
    assertEquals(code, 0, output);
    assertEquals(decodeJwt(output.trim()).sub, "alice");
  });

  it.withLab("says why there is no token", async (lab) => {
    const request = (subject: string, ...options: string[]) =>
      runProgram(["token", subject, "--lab", lab.issuer, ...options]);
    const refused = await request("alice", "--client", "nobody");
    assertEquals(refused.code, 1);
    assertMatch(refused.output, /nobody/);
    assertEquals(await request("alicee"), {
      code: 1,
      output: "The lab has no user 'alicee'. Did you mean 'alice'? Its users: alice, bob, carol\n",
    });
    const scope = await request("alice", "--scope", "bogus");
    assertEquals(scope.code, 1);
    assertMatch(scope.output, /^The lab refuses the scope 'bogus'\. .* must be one of: openid /);
    assertEquals((await request("demo-service", "--client", "demo-spa")).code, 1);
    const own = await request("demo-service");
    assertEquals(own.code, 0, own.output);
    await lab.stop();
    const unreachable = await request("alice");
    assertMatch(unreachable.output, /No lab responds at .*: nothing is listening on that port/);
  });
});

describe("hallpass lab", () => {
  it.withAnyClient("signs a user in hands-free, for unknown clients too, and by a login_hint", async () => {
    await using lab = await startLab("--sign-in", "alice", "--any-client", "--sign-in-by-hint");
    assertMatch(lab.output(), /hands-free: every authorization request signs in alice/);
    const client = testClient({ client_id: "unknown", redirect_uri: "http://localhost:3000" });
    for (const hint of [{}, { login_hint: "bob" }]) {
      const { callback } = await client.authorize(serverAt(lab.issuer), hint, {});
      assertMatch(callback, /^http:\/\/localhost:3000\?code=/);
    }
  });

  it("prints its address and how to begin, and responds on both loopback addresses", async () => {
    const lab = await startLab();
    const output = lab.output();
    const parts = [
      ...[lab.issuer, "demo-web      secret demo-web-secret", "carol  password carol"],
      `Flows      ${lab.issuer}/lab/flows`,
      ...hasFeature("report") ? [`Report     ${lab.issuer}/lab/report`] : [],
    ];
    assertEquals(parts.filter((part) => !output.includes(part)), []);
    assertEquals(await statusOf(firstMatch(output, /(http\S+\/oauth2\/authorize\?\S+)/)), 303);
    const { port } = new URL(lab.issuer);
    for (const host of ["127.0.0.1", "[::1]", "localhost"]) {
      assertEquals(await statusOf(`http://${host}:${port}/health`), 200);
    }
    assertEquals(await lab.stop(), 0);
  });

  it.withLab("prints a code verifier that matches its link", async (lab) => {
    const output = lab.output();
    const query = new URL(firstMatch(output, /(http\S+\/oauth2\/authorize\?\S+)/)).searchParams;
    const codeVerifier = firstMatch(output, /code_verifier=(\S+)/);
    const digest = createHash("sha256").update(codeVerifier).digest("base64url");
    assertEquals(query.get("code_challenge"), digest);
    assertEquals([query.get("scope"), query.get("client_id")], ["openid profile read", "demo-spa"]);
  });

  it("reads options from the environment; the command line wins", async () => {
    const lab = await startProgram(["lab", "--alg", "ES256"], {
      PORT: "0",
      HALLPASS_ALG: "EdDSA",
      HALLPASS_REDIRECT_URI: "https://a.example/cb https://b.example/cb",
    });
    const metadata = await testClient().metadata(serverAt(lab.issuer));
    assertEquals(metadata.id_token_signing_alg_values_supported.slice(0, 2), ["RS256", "ES256"]);
    const client = testClient({ redirect_uri: "https://b.example/cb" });
    const changes = { response_type: undefined };
    const { callback } = await client.authorize(serverAt(lab.issuer), changes);
    assertMatch(callback, /^https:\/\/b.example\/cb\?error=/);
    await lab.stop("SIGINT");
  });

  it.withLab("finishes requests in progress when it stops", async (lab) => {
    const fields = "grant_type=client_credentials&client_id=demo-service&client_secret=";
    const secret = "demo-service-secret";
    const connection = await openRawConnection(Number(new URL(lab.issuer).port));
    connection.send(formPost("/oauth2/token", fields.length + secret.length) + fields);
    // The server has met the request before those that came after it.
    for (let n = 0; n < 3; n++) await statusOf(`${lab.issuer}/health`);
    const stopped = lab.stop();
    connection.send(secret);
    assertEquals(await stopped, 0);
    assertMatch(connection.received(), /^HTTP\/1.1 200 /);
  });

  it.withFaults("ends what a lab holds back when it stops: silent responses and event streams", async () => {
    const lab = await startLab();
    await postJson(`${lab.issuer}/lab/faults`, { name: "jwks.never" });
    const events = await fetch(`${lab.issuer}/lab/events`);
    const silent = statusOf(`${lab.issuer}/oauth2/jwks`);
    await eventually(async () => {
      const [fault] = await (await fetch(`${lab.issuer}/lab/faults`)).json();
      assertEquals(fault.met, 1);
    });
    const stopped = lab.stop();
    assertEquals(await silent, 503);
    assertMatch(await events.text(), /listening/);
    assertEquals(await stopped, 0);
  });

  it("serves /lab on a port of its own with --lab-port", async () => {
    const lab = await startLab("--lab-port", "0");
    const labUrl = firstMatch(lab.output(), /Lab API +(\S+)/);
    assertEquals(await statusOf(`${labUrl}/clock`), 200);
    assertEquals(await statusOf(`${lab.issuer}/lab/clock`), 404);
    assertEquals(await lab.stop(), 0);
  });

  it("lets the application under test sign out to its own home page", needs("logout"), async () => {
    const lab = await startLab("--redirect-uri", "http://localhost:3000/callback");
    const post_logout_redirect_uri = "http://localhost:3000/";
    const query = new URLSearchParams({ client_id: "demo-spa", post_logout_redirect_uri });
    assertEquals(await statusOf(`${lab.issuer}/oauth2/logout?${query}`), 200);
    assertEquals(await lab.stop(), 0);
  });

  it.withLab("does not wait for idle connections", async (lab) => {
    await statusOf(`${lab.issuer}/health`);
    assertEquals(await lab.stop(), 0);
  });
});

describe("hallpass and clients with a metadata document", () => {
  /** Asks for a code as a client whose document stands on this machine. */
  async function asked(server: Program, extra: Record<string, string> = {}): Promise<number> {
    await using app = await serveDocument();
    const redirect_uri = "http://127.0.0.1:4711/cb";
    const client = testClient({ client_id: app.clientId, redirect_uri, scope: "" });
    return await statusOf(client.authorizationUrl(server, extra));
  }

  it.withLab(
    "a lab fetches the document of a client from its own machine",
    needs("documents"),
    async (lab) => assertEquals(await asked(lab), 303),
  );

  it("a server with the profile mcp needs only a file, and fetches nothing from its own machine", async () => {
    const resource = "https://mcp.example";
    const config = { port: 0, alg: "ES256", profile: "mcp", resources: [resource] };
    await using file = await openConfig(config);
    await using server = await startProgram(["serve", "--config", file.path]);
    assertEquals(await asked(server, { resource }), 400);
  });
});

describe("hallpass lab --store sqlite:PATH", () => {
  it("loses nothing when it is killed during a flow", async () => {
    await using opened = await openFolder();
    const store = ["--store", `sqlite:${join(opened.folder, "lab.db")}`, "--alg", "ES256"];
    const first = await startLab(...store);
    const server = serverAt(first.issuer);
    const again = ["lab", "--port", new URL(first.issuer).port, ...store];
    const keysOf = async () => await (await fetch(`${first.issuer}/oauth2/jwks`)).json();
    const client = testClient({ scope: "openid profile read" });
    const code = await client.code(server);
    const keys = await keysOf();
    await first.stop("SIGKILL");

    const second = await startProgram(again);
    const { status, body } = await client.redeem(server, code);
    assertEquals(status, 200);
    await second.stop("SIGKILL");

    await using _ = await startProgram(again);
    assertEquals(await keysOf(), keys);
    assertEquals((await client.userinfo(server, body.access_token)).status, 200);
    assertEquals((await client.refresh(server, body.refresh_token)).status, 200);
    assertEquals((await client.redeem(server, code)).body.error, "invalid_grant");
  });
});

describe("hallpass serve", () => {
  const config = {
    clients: [{
      id: "web",
      secret: { env: "HALLPASS_WEB_SECRET" },
      redirectUris: ["https://app.example/cb"],
      grantTypes: ["client_credentials", "authorization_code"],
    }],
    scopes: { read: "Read" },
    alg: "ES256",
    port: 0,
  };

  it("serves what its configuration names, with secrets from the environment", async () => {
    await using file = await openConfig(config);
    const secret = { HALLPASS_WEB_SECRET: "s3cret" };
    const { issuer, stop, output } = await startProgram(["serve", "--config", file.path], secret);
    const client = testClient({ client_id: "web", client_secret: "s3cret" });
    const { status } = await client.token(serverAt(issuer), { grant_type: "client_credentials" });
    assertEquals(status, 200);
    assertEquals(await statusOf(`${issuer}/start?client_id=web`), 404);
    assertEquals(await statusOf(`${issuer}/lab/tokens`), 404);
    assertEquals(await stop(), 0);
    assert(!output().includes("warning: The store is in memory"), "That is for `check` to say.");
  });

  it("reads its configuration from HALLPASS_CONFIG_JSON, for a container without a file", async () => {
    const environment = {
      HALLPASS_CONFIG_JSON: JSON.stringify({
        ...config,
        clients: [{ id: "api-client", scopes: ["read"], secret: { env: "HALLPASS_WEB_SECRET" } }],
      }),
      HALLPASS_WEB_SECRET: "a-secret-of-32-letters-and-digits",
    };
    const { code, output } = await runProgram(["check"], environment);
    assertEquals(code, 0, output);
    assertMatch(output, /Clients +api-client/);
    const server = await startProgram(["serve"], environment);
    assertEquals(await statusOf(`${server.issuer}/health`), 200);
    assertEquals(await server.stop(), 0);
  });

  const invalid: Array<[what: string, text: string, args: string[], message: RegExp]> = [
    ["that is not JSON", "{", [], /configuration in HALLPASS_CONFIG_JSON is not JSON/],
    ["that is not an object", "[]", [], /in HALLPASS_CONFIG_JSON must be an object/],
    ["beside a file", "{}", ["--config", "x.json"], /either --config or HALLPASS_CONFIG_JSON/],
    ["with a setting of a lab", '{"errorUri":true}', [], /does not accept 'errorUri'/],
  ];
  for (const [what, HALLPASS_CONFIG_JSON, args, message] of invalid) {
    it(`rejects a HALLPASS_CONFIG_JSON ${what}`, async () => {
      const { code, output } = await runProgram(["serve", ...args], { HALLPASS_CONFIG_JSON });
      assertEquals(code, 2, output);
      assertMatch(output, message);
    });
  }

  it("W2: explains why its store cannot be reached, at the start and in every other command", async () => {
    const names = ["get", "put", "add", "consume", "delete", "list", "sweep"];
    const failing = names.map((name) => `${name}: fail`);
    await using file = await openConfig(
      `const fail = async () => {
        throw Object.assign(new Error("the database is gone"), { code: "ECONNREFUSED" });
      };
      export default { port: 0, store: { ${failing}, close() {} } };`,
      "hallpass.mjs",
    );
    for (const args of [["serve"], ["check"], ["user", "list"]]) {
      const { code, output } = await runProgram([...args, "--config", file.path]);
      const reason = /The server cannot reach its storage.*: ECONNREFUSED the database is gone/;
      assertMatch(output, reason, args.join(" "));
      assert(code !== 0);
    }
  });

  it("can name its schema, which `hallpass schema` prints", async () => {
    const { code, output } = await runProgram(["schema"]);
    assertEquals([code, JSON.parse(output).title], [0, "Hallpass configuration"]);
    await assertEnds("check", { $schema: "./hallpass.schema.json", port: 0, alg: "ES256" }, 0, /./);
  });

  it("accepts a module as its configuration, with functions", async () => {
    await using file = await openConfig(
      `export default { port: 0, alg: "EdDSA", policies: { authenticate: async () => undefined } };`,
      "hallpass.mjs",
    );
    await using server = await startProgram(["serve", "--config", file.path]);
    assertEquals(await statusOf(`${server.issuer}/health`), 200);
  });

  const refused: Record<string, [content: unknown, says: RegExp]> = {
    "a file that is not JSON": ["{", /is not JSON/],
    "a file that is not an object": [[], /must be an object/],
    "a secret that is not set": [{
      ...config,
      clients: [{ id: "a", secret: { env: "HALLPASS_NOT_SET" } }],
    }, /HALLPASS_NOT_SET, which is not set/],
    "an http issuer that is not loopback": [
      { port: 0, issuer: "http://id.example" },
      /issuer uses http with a host that is not loopback; use https/,
    ],
    "insecure settings": [
      { port: 0, insecure: { httpIssuer: true } },
      /does not accept 'insecure' settings.*https/,
    ],
    "an unknown member": [
      { port: 0, clietns: [] },
      /clietns is not a setting \(did you mean 'clients'\?\)/,
    ],
    "a setting of a lab": [
      { port: 0, errorUri: true },
      /does not accept 'errorUri', which is for labs only/,
    ],
    "a setting of a lab, whatever its type": [
      { port: 0, signInByHint: "yes" },
      /does not accept 'signInByHint', which is for labs only/,
    ],
    "a code that lives too long": [
      { port: 0, lifetimes: { code: "1h" } },
      /lifetimes.code must be between 1 and 600 seconds/,
    ],
  };
  for (const [what, [content, says]] of Object.entries(refused)) {
    it(`rejects ${what}`, () => assertEnds("serve", content, 2, says));
  }

  it("rejects a setting of a lab that has the wrong type, in a lab", async () => {
    const config = { port: 0, signInByHint: "yes" };
    await assertEnds("lab", config, 2, /signInByHint must be true or false/);
  });

  it("reports all problems at once", async () => {
    const one = { id: "a", redirectUris: ["http://app.example/"], pkce: "optional" };
    const config = { port: 0, clients: [one, { id: "a" }] };
    const ofAlg = /1 problem in.*alg must be one of/s;
    await assertEnds("serve", { ...config, alg: "HS256" }, 2, ofAlg);
    const ofClients =
      /4 problems.*'a' more than once.*redirectUris\[0\] uses http.*pkce can be optional.*secret is missing/s;
    await assertEnds("serve", config, 2, ofClients);
  });

  /** Makes a folder with the configuration of a server that keeps its rows in a file. */
  const openStored = async (alg = "ES256") => {
    const opened = await openFolder();
    const path = join(opened.folder, "hallpass.json");
    const store = `sqlite:${join(opened.folder, "a.db")}`;
    await writeFile(path, JSON.stringify({ port: 0, alg, store }));
    return { ...opened, store, args: ["serve", "--config", path] };
  };
  const secret = { HALLPASS_SECRET: "x".repeat(32) };

  it("encrypts its keys with HALLPASS_SECRET, and decrypts them with no other secret", async () => {
    await using stored = await openStored();
    const keysOf = async () => {
      await using server = await startProgram(stored.args, secret);
      return await (await fetch(`${server.issuer}/oauth2/jwks`)).json();
    };
    const keys = await keysOf();
    assertEquals(await keysOf(), keys);
    const other = await runProgram(stored.args, { HALLPASS_SECRET: "y".repeat(32) });
    assertEquals(other.code, 2);
    assertMatch(other.output, /^Cannot start the server: .*encrypted with another secret/m);
    const none = await runProgram(stored.args);
    assertEquals(none.code, 2);
    assertMatch(none.output, /set HALLPASS_SECRET/);
  });

  it("encrypts what was stored before there was a secret", async () => {
    await using stored = await openStored("EdDSA");
    const first = await startProgram(stored.args);
    await statusOf(`${first.issuer}/oauth2/jwks`);
    await first.stop();
    assertMatch((await runProgram(stored.args.with(0, "check"))).output, /are not encrypted/);
    await (await startProgram(stored.args, secret)).stop();
    assertMatch((await runProgram(stored.args)).output, /set HALLPASS_SECRET/);
  });

  it("rejects a configured key of a lab, because that is public, too", async () => {
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ["sign"]);
    const jwk = { ...await crypto.subtle.exportKey("jwk", privateKey), kid: "TEST-ONLY-mine" };
    const config = { port: 0, signingKeys: [{ jwk }] };
    await assertEnds("serve", config, 2, /signing key 'TEST-ONLY-mine' is that of a lab/);
  });

  it("rejects a store that a lab has used, because those keys are public", async () => {
    await using stored = await openStored("RS256");
    const lab = await startLab("--store", stored.store);
    await statusOf(`${lab.issuer}/oauth2/jwks`);
    await lab.stop();
    const { code, output } = await runProgram(stored.args);
    assertEquals(code, 2);
    assertMatch(output, /used by a lab/);
  });
});

describe("U4: A lab that is interrupted", () => {
  it("ends with a line of its own", async () => {
    const lab = await startProgram(["lab", "--port", "0"]);
    assertEquals(await lab.stop("SIGINT"), 0);
    assertMatch(lab.output(), /\nhallpass stopped\n$/);
  });
});

describe("A lab's program", () => {
  it("makes a certificate with --tls, and writes what clients need to trust it", async () => {
    await using opened = await openFolder();
    const { folder } = opened;
    const other = join(folder, "other.txt");
    await writeFile(other, "kept");
    await symlink(other, join(folder, "hallpass-ca.pem"));
    await using lab = await startProgram(["lab", "--port", "0", "--tls"], {}, commandIn(folder));
    assertEquals(await readFile(other, "utf8"), "kept");
    const ca = await readFile(join(folder, "hallpass-ca.pem"), "utf8");
    const [response] = await once(httpsGet(`${lab.issuer}/health`, { ca }), "response");
    let text = "";
    for await (const chunk of response) text += chunk;
    assertEquals(JSON.parse(text).issuer, lab.issuer);
    assertMatch(lab.issuer, /^https:/);
    assertMatch(lab.output(), /NODE_EXTRA_CA_CERTS=\S*hallpass-ca\.pem npm start/);
  });

  it.withLab("warns at its end of what never fired", needs("faults"), async (lab) => {
    await postJson(`${lab.issuer}/lab/faults`, { name: "token.server_error" });
    assertEquals(await lab.stop(), 0);
    assertMatch(lab.output(), /^warning: these faults .*never fired: token\.server_error$/m);
  });
});
