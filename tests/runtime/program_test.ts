import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { once } from "node:events";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { createServer as createSite } from "node:http";
import { get as httpsGet } from "node:https";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import deno from "../../deno.json" with { type: "json" };
import { pbkdf2Passwords } from "../../src/server/config/passwords.ts";
import { eventually } from "../support/eventually.ts";
import { inFolder } from "../support/folder.ts";
import { fetchCode, fetchTokens, postForm } from "../support/http.ts";
import { challenge, encode } from "../support/kit.ts";
import { firstMatch } from "../support/present.ts";
import { commandFor, type Program, runProgram, startProgram } from "../support/program.ts";
import { formPost, openRawConnection } from "../support/raw_connection.ts";

/** Writes a configuration file, and calls `act` with its path. */
async function withConfig(content: unknown, act: (path: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const path = join(folder, "hallpass.json");
    await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
    await act(path);
  });
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
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as { port: number };
    const { code, output } = await runProgram(["lab", "--port", `${port}`]);
    await new Promise((resolve) => taken.close(resolve));
    assertEquals(code, 1);
    assertMatch(output, new RegExp(`port ${port} is already in use`));
  });

  it("reports the problems of a configuration even if its port is in use", async () => {
    const lab = await startProgram(["lab", "--port", "0"]);
    const port = Number(new URL(lab.issuer).port);
    await withConfig(
      { issuer: "http://example.com", clients: [{ id: "" }], port },
      async (path) => {
        const { code, output } = await runProgram(["serve", "--config", path]);
        assertEquals(code, 2, output);
        assertMatch(output, /Cannot start the server: \d+ problems?/);
      },
    );
    await lab.stop();
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

  it("explains every option, and the environment", async () => {
    const { code, output } = await runProgram(["--help"]);
    assertEquals(code, 0);
    for (
      const option of [
        "--port",
        "--host",
        "--issuer",
        "--store",
        "--redirect-uri",
        "--alg",
        "--expose",
        "--lab-token",
        "--cert",
        "--key",
        "--config",
        "HALLPASS_PORT",
        "HALLPASS_SECRET",
      ]
    ) assert(output.includes(option), option);
  });

  it("prints the version", async () => {
    assertEquals((await runProgram(["--version"])).output, `hallpass ${deno.version}\n`);
  });
});

describe("The line that programs wait for", () => {
  it("K6: ends with the URL at which the lab is reached, whatever its issuer is", async () => {
    const issuers = [["https://login.example", ""], [
      "https://login.example/idp/",
      "/idp",
    ]] as const;
    for (const [issuer, path] of issuers) {
      const lab = await startProgram(["lab", "--port", "0", "--issuer", issuer]);
      const line = firstMatch(lab.output(), /^hallpass ready (.*)$/m);
      const [named, , url = ""] = line.split(" ");
      assertEquals([named, new URL(url).pathname], [issuer, path || "/"]);
      const metadata = await fetch(`${url}/.well-known/openid-configuration`);
      assertEquals((await metadata.json()).issuer, issuer);
      assertEquals(await (await fetch(`${url}/lab/tenants`)).json(), []);
      await lab.stop();
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
    const lab = await startProgram(["lab", "--port", "0", "--lab-token", labToken]);
    const options = ["--lab", lab.issuer, "--scope", "openid read"];
    const { code, output } = await runProgram(
      ["token", "alice", ...options],
      { HALLPASS_LAB_TOKEN: labToken },
    );
    assertEquals(code, 0);
    assertEquals(decodeJwt(output.trim()).sub, "alice");
    await lab.stop();
  });

  it("N7: finds the lab at the port that the environment names for both", async () => {
    const lab = await startProgram(["lab", "--port", "0"]);
    const HALLPASS_PORT = new URL(lab.issuer).port;
    const { code, output } = await runProgram(["token", "alice"], { HALLPASS_PORT });
    await lab.stop();
    assertEquals(code, 0, output);
    assertEquals(decodeJwt(output.trim()).sub, "alice");
  });

  it("says why there is no token", async () => {
    const lab = await startProgram(["lab", "--port", "0"]);
    const refused = await runProgram(["token", "alice", "--lab", lab.issuer, "--client", "nobody"]);
    assertEquals(refused.code, 1);
    assertMatch(refused.output, /nobody/);
    const unknown = await runProgram(["token", "alicee", "--lab", lab.issuer]);
    assertEquals(unknown.code, 1);
    assertEquals(
      unknown.output,
      "The lab has no user 'alicee'. Did you mean 'alice'? Its users: alice, bob, carol\n",
    );
    const scope = await runProgram(["token", "alice", "--lab", lab.issuer, "--scope", "bogus"]);
    assertEquals(scope.code, 1);
    assertMatch(
      scope.output,
      /^The lab refuses the scope 'bogus'\. .* must be one of: openid profile /,
    );
    const ofOther = ["--client", "demo-spa", "--lab", lab.issuer];
    assertEquals((await runProgram(["token", "demo-service", ...ofOther])).code, 1);
    const own = await runProgram(["token", "demo-service", "--lab", lab.issuer]);
    assertEquals(own.code, 0, own.output);
    await lab.stop();
    const unreachable = await runProgram(["token", "alice", "--lab", lab.issuer]);
    assertMatch(unreachable.output, /No lab responds at .*: nothing is listening on that port/);
  });
});

describe("hallpass lab", () => {
  it("signs a user in hands-free, for unknown clients too, and by a login_hint", async () => {
    const options = ["--sign-in", "alice", "--any-client", "--sign-in-by-hint"];
    const lab = await startProgram(["lab", "--port", "0", ...options]);
    assertMatch(lab.output(), /hands-free: every authorization request signs in alice/);
    for (const hint of [{}, { login_hint: "bob" }]) {
      const query = new URLSearchParams({
        response_type: "code",
        client_id: "unknown",
        redirect_uri: "http://localhost:3000",
        scope: "openid",
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        code_challenge_method: "S256",
        ...hint,
      });
      const response = await fetch(`${lab.issuer}/oauth2/authorize?${query}`, {
        redirect: "manual",
      });
      await response.body?.cancel();
      assertMatch(response.headers.get("Location") ?? "", /^http:\/\/localhost:3000\?code=/);
    }
    await lab.stop();
  });

  it("prints its address and how to begin, and responds on both loopback addresses", async () => {
    const lab = await startProgram(["lab", "--port", "0"]);
    const output = lab.output();
    for (
      const part of [
        lab.issuer,
        "demo-web      secret demo-web-secret",
        "carol  password carol",
        `Flows      ${lab.issuer}/lab/flows`,
        `Report     ${lab.issuer}/lab/report`,
      ]
    ) {
      assert(output.includes(part), part);
    }
    const link = firstMatch(output, /(http\S+\/oauth2\/authorize\?\S+)/);
    assertEquals((await drained(await fetch(link, { redirect: "manual" }))).status, 303);
    const { port } = new URL(lab.issuer);
    for (const host of ["127.0.0.1", "[::1]", "localhost"]) {
      assertEquals((await drained(await fetch(`http://${host}:${port}/health`))).status, 200);
    }
    assertEquals(await lab.stop(), 0);
  });

  it("prints a code verifier that matches its link", async () => {
    const lab = await startProgram(["lab", "--port", "0"]);
    const output = lab.output();
    const query = new URL(firstMatch(output, /(http\S+\/oauth2\/authorize\?\S+)/)).searchParams;
    const codeVerifier = firstMatch(output, /code_verifier=(\S+)/);
    const digest = new Uint8Array(
      await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier)),
    );
    assertEquals(
      query.get("code_challenge"),
      btoa(String.fromCharCode(...digest)).replaceAll("+", "-").replaceAll("/", "_").replace(
        "=",
        "",
      ),
    );
    assertEquals([query.get("scope"), query.get("client_id")], ["openid profile read", "demo-spa"]);
    await lab.stop();
  });

  it("reads options from the environment; the command line wins", async () => {
    const lab = await startProgram(["lab", "--alg", "ES256"], {
      PORT: "0",
      HALLPASS_ALG: "EdDSA",
      HALLPASS_REDIRECT_URI: "https://a.example/cb https://b.example/cb",
    });
    const metadata = await (await fetch(`${lab.issuer}/.well-known/openid-configuration`)).json();
    const { id_token_signing_alg_values_supported: algs } = metadata;
    assertEquals(algs.slice(0, 2), ["RS256", "ES256"]);
    const response = await drained(
      await fetch(
        `${lab.issuer}/oauth2/authorize?client_id=demo-spa&redirect_uri=https://b.example/cb`,
        { redirect: "manual" },
      ),
    );
    assertMatch(response.headers.get("Location")!, /^https:\/\/b.example\/cb\?error=/);
    await lab.stop("SIGINT");
  });

  it("finishes requests in progress when it stops", async () => {
    const lab = await startProgram(["lab", "--port", "0"]);
    const fields = "grant_type=client_credentials&client_id=demo-service&client_secret=";
    const secret = "demo-service-secret";
    const connection = await openRawConnection(Number(new URL(lab.issuer).port));
    connection.send(formPost("/oauth2/token", fields.length + secret.length) + fields);
    // The server has met the request before those that came after it.
    for (let n = 0; n < 3; n++) await drained(await fetch(`${lab.issuer}/health`));
    const stopped = lab.stop();
    connection.send(secret);
    assertEquals(await stopped, 0);
    assertMatch(connection.received(), /^HTTP\/1.1 200 /);
  });

  it("ends what a lab holds back when it stops: silent responses and event streams", async () => {
    const lab = await startProgram(["lab", "--port", "0"]);
    const order = {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ name: "jwks.never" }),
    };
    await drained(await fetch(`${lab.issuer}/lab/faults`, order));
    const events = await fetch(`${lab.issuer}/lab/events`);
    const silent = fetch(`${lab.issuer}/oauth2/jwks`);
    await eventually(async () => {
      const [fault] = await (await fetch(`${lab.issuer}/lab/faults`)).json();
      assertEquals(fault.met, 1);
    });
    const stopped = lab.stop();
    assertEquals((await drained(await silent)).status, 503);
    assertMatch(await events.text(), /listening/);
    assertEquals(await stopped, 0);
  });

  it("serves /lab on a port of its own with --lab-port", async () => {
    const lab = await startProgram(["lab", "--port", "0", "--lab-port", "0"]);
    const labUrl = firstMatch(lab.output(), /Lab API +(\S+)/);
    assertEquals((await drained(await fetch(`${labUrl}/clock`))).status, 200);
    assertEquals((await drained(await fetch(`${lab.issuer}/lab/clock`))).status, 404);
    assertEquals(await lab.stop(), 0);
  });

  it("lets the application under test sign out to its own home page", async () => {
    const lab = await startProgram([
      "lab",
      "--port",
      "0",
      "--redirect-uri",
      "http://localhost:3000/callback",
    ]);
    const query = encode({
      client_id: "demo-spa",
      post_logout_redirect_uri: "http://localhost:3000/",
    });
    assertEquals((await drained(await fetch(`${lab.issuer}/oauth2/logout?${query}`))).status, 200);
    assertEquals(await lab.stop(), 0);
  });

  it("does not wait for idle connections", async () => {
    const lab = await startProgram(["lab", "--port", "0"]);
    await drained(await fetch(`${lab.issuer}/health`));
    assertEquals(await lab.stop(), 0);
  });
});

describe("hallpass and clients with a metadata document", () => {
  /** Asks for a code as a client whose document stands on this machine. */
  async function asked(server: Program, extra: Record<string, string> = {}): Promise<Response> {
    const site = createSite((_request, response) => {
      const client_id = `http://127.0.0.1:${(site.address() as { port: number }).port}/client.json`;
      response.setHeader("Content-Type", "application/json").end(
        JSON.stringify({ client_id, redirect_uris: ["http://127.0.0.1/cb"] }),
      );
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    const client_id = `http://127.0.0.1:${(site.address() as { port: number }).port}/client.json`;
    const fields = {
      response_type: "code",
      client_id,
      redirect_uri: "http://127.0.0.1:4711/cb",
      code_challenge: challenge,
      ...extra,
    };
    const query = encode({ ...fields, code_challenge_method: "S256", state: "s" });
    const response = await drained(
      await fetch(`${server.issuer}/oauth2/authorize?${query}`, { redirect: "manual" }),
    );
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
    return response;
  }

  it("a lab fetches the document of a client under test from its own machine", async () => {
    const lab = await startProgram(["lab", "--port", "0"]);
    assertEquals((await asked(lab)).status, 303);
    await lab.stop();
  });

  it("a server with the profile mcp needs only a file, and fetches nothing from its own machine", async () => {
    await inFolder(async (folder) => {
      const path = join(folder, "hallpass.json");
      await writeFile(
        path,
        JSON.stringify({
          port: 0,
          alg: "ES256",
          profile: "mcp",
          resources: ["https://mcp.example"],
        }),
      );
      const server = await startProgram(["serve", "--config", path]);
      assertEquals((await asked(server, { resource: "https://mcp.example" })).status, 400);
      await server.stop();
    });
  });
});

describe("hallpass lab --store sqlite:PATH", () => {
  it("loses nothing when it is killed during a flow", async () => {
    await inFolder(async (folder) => {
      const store = ["--store", `sqlite:${join(folder, "lab.db")}`, "--alg", "ES256"];
      const first = await startProgram(["lab", "--port", "0", ...store]);
      const { issuer } = first;
      const again = ["lab", "--port", new URL(issuer).port, ...store];
      const code = await fetchCode(issuer);
      const keys = await (await fetch(`${issuer}/oauth2/jwks`)).json();
      await first.stop("SIGKILL");

      const second = await startProgram(again);
      const { status, body } = await fetchTokens(issuer, code);
      assertEquals(status, 200);
      await second.stop("SIGKILL");

      const third = await startProgram(again);
      assertEquals(await (await fetch(`${issuer}/oauth2/jwks`)).json(), keys);
      assertEquals(
        (await drained(
          await fetch(`${issuer}/oauth2/userinfo`, {
            headers: { Authorization: `Bearer ${body.access_token}` },
          }),
        )).status,
        200,
      );
      const refresh = {
        grant_type: "refresh_token",
        refresh_token: body.refresh_token,
        client_id: "demo-spa",
      };
      assertEquals((await postForm(`${issuer}/oauth2/token`, refresh)).status, 200);
      assertEquals((await fetchTokens(issuer, code)).body.error, "invalid_grant");
      await third.stop();
    });
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
    await withConfig(config, async (path) => {
      const server = await startProgram(["serve", "--config", path], {
        HALLPASS_WEB_SECRET: "s3cret",
      });
      const fields = {
        grant_type: "client_credentials",
        client_id: "web",
        client_secret: "s3cret",
      };
      assertEquals((await postForm(`${server.issuer}/oauth2/token`, fields)).status, 200);
      assertEquals(
        (await drained(await fetch(`${server.issuer}/start?client_id=web`))).status,
        404,
      );
      assertEquals((await drained(await fetch(`${server.issuer}/lab/tokens`))).status, 404);
      assertEquals(await server.stop(), 0);
      assertMatch(server.output(), /warning: The store is in memory/);
    });
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
    assertEquals((await drained(await fetch(`${server.issuer}/health`))).status, 200);
    assertEquals(await server.stop(), 0);
  });

  const invalid: Array<[what: string, text: string, args: string[], message: RegExp]> = [
    ["that is not JSON", "{", [], /configuration in HALLPASS_CONFIG_JSON is not JSON/],
    ["that is not an object", "[]", [], /in HALLPASS_CONFIG_JSON must be an object/],
    ["beside a file", "{}", ["--config", "x.json"], /either --config or HALLPASS_CONFIG_JSON/],
    ["with a setting of a lab", '{"anyClient":true}', [], /does not accept 'anyClient'/],
  ];
  for (const [what, HALLPASS_CONFIG_JSON, args, message] of invalid) {
    it(`rejects a HALLPASS_CONFIG_JSON ${what}`, async () => {
      const { code, output } = await runProgram(["serve", ...args], { HALLPASS_CONFIG_JSON });
      assertEquals(code, 2, output);
      assertMatch(output, message);
    });
  }

  it("warns if it does not listen at the port of a loopback issuer", async () => {
    const warningFor = async (issuer: string) => {
      let output = "";
      await withConfig({ port: 0, alg: "ES256", issuer }, async (path) => {
        const server = await startProgram(["serve", "--config", path]);
        await server.stop();
        output = server.output();
      });
      return /warning: The issuer .* listens on port .*/.exec(output)?.[0] ?? "";
    };
    assertMatch(
      await warningFor("http://localhost:1"),
      /The issuer is http:\/\/localhost:1, but the server listens on port \d+/,
    );
    assertEquals(await warningFor("https://id.example"), "");
  });

  it("W2: explains why its store cannot be reached, at the start and in every other command", async () => {
    await inFolder(async (folder) => {
      const path = join(folder, "hallpass.mjs");
      const names = ["get", "put", "add", "consume", "delete", "list", "sweep"];
      const fail =
        'async () => { throw Object.assign(new Error("the database is gone"), { code: "ECONNREFUSED" }); }';
      await writeFile(
        path,
        `const fail = ${fail};\nexport default { port: 0, store: { ${
          names.map((name) => `${name}: fail`)
        }, close() {} } };`,
      );
      for (const args of [["serve"], ["check"], ["user", "list"]]) {
        const { code, output } = await runProgram([...args, "--config", path]);
        assertMatch(
          output,
          /The server cannot reach its storage.*: ECONNREFUSED the database is gone/,
          args.join(" "),
        );
        assert(code !== 0);
      }
    });
  });

  it("can name its schema, which `hallpass schema` prints", async () => {
    const { code, output } = await runProgram(["schema"]);
    assertEquals([code, JSON.parse(output).title], [0, "Hallpass configuration"]);
    await withConfig({ $schema: "./hallpass.schema.json", port: 0, alg: "ES256" }, async (path) => {
      const checked = await runProgram(["check", "--config", path]);
      assertEquals(checked.code, 0, checked.output);
    });
  });

  it("accepts a module as its configuration, with functions", async () => {
    await inFolder(async (folder) => {
      const path = join(folder, "hallpass.mjs");
      await writeFile(
        path,
        `export default { port: 0, alg: "EdDSA", policies: { authenticate: async () => undefined } };`,
      );
      const server = await startProgram(["serve", "--config", path]);
      assertEquals((await drained(await fetch(`${server.issuer}/health`))).status, 200);
      await server.stop();
    });
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
      /clietns is not a setting\. Did you mean 'clients'\? Run 'hallpass schema' to list every setting/,
    ],
    "a setting of a lab": [
      { port: 0, anyClient: true },
      /does not accept 'anyClient', which is for labs only/,
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
    it(`rejects ${what}`, async () => {
      await withConfig(content, async (path) => {
        const { code, output } = await runProgram(["serve", "--config", path]);
        assertEquals(code, 2, output);
        assertMatch(output, says);
      });
    });
  }

  it("rejects a setting of a lab that has the wrong type, in a lab", async () => {
    await withConfig({ port: 0, signInByHint: "yes" }, async (path) => {
      const { code, output } = await runProgram(["lab", "--config", path]);
      assertEquals(code, 2, output);
      assertMatch(output, /signInByHint must be true or false/);
    });
  });

  it("reports all problems at once", async () => {
    const clients = [{ id: "a", redirectUris: ["http://app.example/"], pkce: "optional" }, {
      id: "a",
    }];
    await withConfig({ port: 0, clients, alg: "HS256" }, async (path) => {
      const { output } = await runProgram(["serve", "--config", path]);
      assertMatch(output, /1 problem in.*alg must be one of/s);
    });
    await withConfig({ port: 0, clients }, async (path) => {
      const { output } = await runProgram(["serve", "--config", path]);
      assertMatch(
        output,
        /4 problems.*'a' more than once.*redirectUris\[0\] uses http.*pkce can be optional.*secret is missing/s,
      );
    });
  });

  it("encrypts its keys with HALLPASS_SECRET, and decrypts them with no other secret", async () => {
    await inFolder(async (folder) => {
      const path = join(folder, "hallpass.json");
      await writeFile(
        path,
        JSON.stringify({ port: 0, alg: "ES256", store: `sqlite:${join(folder, "a.db")}` }),
      );
      const secret = { HALLPASS_SECRET: "x".repeat(32) };
      const first = await startProgram(["serve", "--config", path], secret);
      const keys = await (await fetch(`${first.issuer}/oauth2/jwks`)).json();
      await first.stop();
      const second = await startProgram(["serve", "--config", path], secret);
      assertEquals(await (await fetch(`${second.issuer}/oauth2/jwks`)).json(), keys);
      await second.stop();
      const other = await runProgram(["serve", "--config", path], {
        HALLPASS_SECRET: "y".repeat(32),
      });
      assertEquals(other.code, 2);
      assertMatch(other.output, /^Cannot start the server: .*encrypted with another secret/m);
      const none = await runProgram(["serve", "--config", path]);
      assertEquals(none.code, 2);
      assertMatch(none.output, /set HALLPASS_SECRET/);
    });
  });

  it("encrypts what was stored before there was a secret", async () => {
    await inFolder(async (folder) => {
      const path = join(folder, "hallpass.json");
      await writeFile(
        path,
        JSON.stringify({ port: 0, alg: "EdDSA", store: `sqlite:${join(folder, "a.db")}` }),
      );
      const first = await startProgram(["serve", "--config", path]);
      await drained(await fetch(`${first.issuer}/oauth2/jwks`));
      await first.stop();
      assertMatch(first.output(), /are not encrypted/);
      const second = await startProgram(["serve", "--config", path], {
        HALLPASS_SECRET: "x".repeat(32),
      });
      await second.stop();
      assertMatch((await runProgram(["serve", "--config", path])).output, /set HALLPASS_SECRET/);
    });
  });

  it("rejects a configured key of a lab, because that is public, too", async () => {
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ["sign"]);
    const jwk = { ...await crypto.subtle.exportKey("jwk", privateKey), kid: "TEST-ONLY-mine" };
    await withConfig({ port: 0, signingKeys: [{ jwk }] }, async (path) => {
      const { code, output } = await runProgram(["serve", "--config", path]);
      assertEquals(code, 2);
      assertMatch(output, /signing key 'TEST-ONLY-mine' is that of a lab/);
    });
  });

  it("rejects a store that a lab has used, because those keys are public", async () => {
    await inFolder(async (folder) => {
      const store = `sqlite:${join(folder, "a.db")}`;
      const lab = await startProgram(["lab", "--port", "0", "--store", store]);
      await drained(await fetch(`${lab.issuer}/oauth2/jwks`));
      await lab.stop();
      const path = join(folder, "hallpass.json");
      await writeFile(path, JSON.stringify({ port: 0, store }));
      const { code, output } = await runProgram(["serve", "--config", path]);
      assertEquals(code, 2);
      assertMatch(output, /used by a lab/);
    });
  });
});

describe("A lab's program", () => {
  it("makes a certificate with --tls, and writes what clients need to trust it", async () => {
    await inFolder(async (folder) => {
      const other = join(folder, "other.txt");
      await writeFile(other, "kept");
      await symlink(other, join(folder, "hallpass-ca.pem"));
      const lab = await startProgram(["lab", "--port", "0", "--tls"], {}, commandIn(folder));
      assertEquals(await readFile(other, "utf8"), "kept");
      const ca = await readFile(join(folder, "hallpass-ca.pem"), "utf8");
      const [response] = await once(httpsGet(`${lab.issuer}/health`, { ca }), "response");
      let text = "";
      for await (const chunk of response) text += chunk;
      await lab.stop();
      assertEquals(JSON.parse(text).issuer, lab.issuer);
      assertMatch(lab.issuer, /^https:/);
      assertMatch(lab.output(), /NODE_EXTRA_CA_CERTS=\S*hallpass-ca\.pem npm start/);
    });
  });

  it("warns at its end of what never fired", async () => {
    const lab = await startProgram(["lab", "--port", "0"]);
    const body = JSON.stringify({ name: "token.server_error" });
    const headers = { "Content-Type": "application/json" };
    await drained(await fetch(`${lab.issuer}/lab/faults`, { method: "POST", headers, body }));
    assertEquals(await lab.stop(), 0);
    assertMatch(lab.output(), /^warning: these faults .*never fired: token\.server_error$/m);
  });
});

/** Reads a body to its end, so that the connection is free again. */
async function drained(response: Response): Promise<Response> {
  await response.arrayBuffer();
  return response;
}
