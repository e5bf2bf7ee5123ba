import { assert, assertEquals } from "@std/assert";
import { describe } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { add as addUser } from "../../../src/administration/users.ts";
import { formatAsJson, formatEvent } from "../../../src/program/monitoring/log.ts";
import type {
  Remedy,
  ServerEvent,
  ServerEventListener,
} from "../../../src/server/config/events.ts";
import { itWith } from "../../support/it_with.ts";
import { basic, type Fields, openStrictKit, read } from "../../support/kit.ts";
import { withAddress } from "../../support/with_address.ts";

const secret = "a-secret-of-more-than-22-characters";
const callback = "https://wiki.example/cb";
const wiki = { id: "wiki", secret, redirectUris: [callback], scopes: ["openid", "profile"] };

const mistyped = "Enter the expected one in the application. Only if the other is right: ";

/** What a line of the log says about a refusal. */
interface Logged {
  received?: string;
  expected?: string;
  fix?: string;
}

/** A server as `hallpass serve` runs it, with a client of the store and one of the configuration. */
async function openLogged() {
  const lines: string[] = [];
  const onEvent: ServerEventListener = (event, request) => {
    if (event.type === "request.refused") lines.push(formatAsJson(event, new Date(0), request));
  };
  const kit = openStrictKit({
    clients: [
      { ...wiki, id: "configured" },
      { id: "cli", redirectUris: [callback] },
      { ...wiki, id: "team", groups: ["staff", "admins"] },
    ],
    users: [{ name: "alice", password: "alice", claims: { groups: ["sales", "guests"] } }],
    scopes: { openid: "Know you", profile: "See your profile", email: "See your address" },
    onEvent,
  });
  await addClient(kit.server.context, wiki);
  const logged = (): Logged => {
    const { received, expected, fix } = JSON.parse(lines.at(-1) ?? "{}");
    return { ...received && { received }, ...expected && { expected }, ...fix && { fix } };
  };
  const authorize = async (changes: Fields) => {
    const fields = { client_id: "wiki", redirect_uri: callback, scope: "openid", ...changes };
    const sent = withAddress(new Request(kit.authorizationUrl(fields)), "192.0.2.1");
    const { text, headers } = await read(await kit.server.fetch(sent));
    return text + headers.get("Location");
  };
  const redeem = (headers: Record<string, string>, fields: Fields = {}) =>
    kit.redeem("a-code", { client_id: undefined, redirect_uri: callback, ...fields }, headers);
  return { kit, lines, logged, authorize, redeem };
}

const it = itWith({ inServer: openLogged });

/** What the log says about a user who is in no group of the client, by where the user is. */
const strangers: Readonly<Record<string, Logged>> = {
  "ada';reboot": {
    received: "ada';reboot (groups: none)",
    expected: "staff or admins",
    fix: String.raw`hallpass user set 'ada'\'';reboot' --add group=staff`,
  },
  alice: {
    received: "alice (groups: sales, guests)",
    expected: "staff or admins",
    fix: "the user alice needs staff in 'groups', in the configuration",
  },
};

const knownClients: Logged = {
  expected: "one of configured, cli, team",
  fix: "Send the client_id of a configured client, or register one.",
};

/** Authorization requests, and what the log says about each. */
const requests: Readonly<Record<string, [request: Fields, logged: Logged]>> = {
  "a redirect URI at a host of the client": [
    { redirect_uri: "https://wiki.example/other" },
    {
      received: "https://wiki.example/other",
      expected: callback,
      fix: `${mistyped}hallpass client set wiki --add redirect-uri=https://wiki.example/other`,
    },
  ],
  "a redirect URI with a query, which may be a secret": [
    { redirect_uri: `${callback}?code=abc` },
    {
      received: `${callback}?...`,
      expected: callback,
      fix: `${mistyped}hallpass client set wiki --add redirect-uri=URI`,
    },
  ],
  "a redirect URI at another host": [
    { redirect_uri: "https://evil.example/$(reboot)" },
    {
      received: "https://evil.example/$(reboot)",
      expected: callback,
      fix: "evil.example is not a host of wiki. Only if it is yours: " +
        "hallpass client set wiki --add redirect-uri=URI",
    },
  ],
  "a redirect URI at another port": [
    { redirect_uri: "https://wiki.example:8443/cb" },
    {
      received: "https://wiki.example:8443/cb",
      expected: callback,
      fix: "wiki.example:8443 is not a host of wiki. Only if it is yours: " +
        "hallpass client set wiki --add redirect-uri=URI",
    },
  ],
  "a path that a shell would read": [
    { redirect_uri: "https://wiki.example/';reboot;'" },
    {
      received: "https://wiki.example/';reboot;'",
      expected: callback,
      fix: `${mistyped}hallpass client set wiki --add ` +
        String.raw`'redirect-uri=https://wiki.example/'\'';reboot;'\'''`,
    },
  ],
  "line breaks and control characters": [
    { redirect_uri: "https://wiki.example/\r\n\u001b[31m" },
    {
      received: "28 characters",
      expected: callback,
      fix: `${mistyped}hallpass client set wiki --add redirect-uri=URI`,
    },
  ],
  "a redirect URI of a client of the configuration": [
    { client_id: "configured", redirect_uri: "https://wiki.example/other" },
    {
      received: "https://wiki.example/other",
      expected: callback,
      fix:
        `${mistyped}the configuration needs https://wiki.example/other in 'redirectUris' of the client ` +
        "configured",
    },
  ],
  "an unknown client": [
    { client_id: "wikki" },
    { received: "wikki", ...knownClients },
  ],
  "a client_id that looks like a secret": [
    { client_id: "hT7gRl2pQx9ZbN4mWc8vKs" },
    { received: "[22 characters]", ...knownClients },
  ],
  "a scope that the server has": [
    { scope: "openid email" },
    {
      received: "email",
      expected: "scopes that the client may have",
      fix: "hallpass client set wiki --add scope=email",
    },
  ],
  "a scope that the server does not have": [
    { scope: "admin" },
    {
      received: "admin",
      expected: "scopes that the client may have",
      fix: "Request only scopes that the server knows and that this client may have.",
    },
  ],
  "a response type": [
    { response_type: "code id_token" },
    { received: "code id_token", expected: "code" },
  ],
  "a request without PKCE and nonce": [
    { code_challenge: undefined, code_challenge_method: undefined },
    {
      received: "neither",
      expected: "a code_challenge, or openid with a nonce of 16 characters",
      fix: "Turn on PKCE with S256 in the application. If it has no setting for that: " +
        "hallpass client set wiki --pkce optional",
    },
  ],
  "a public client's request without PKCE": [
    { client_id: "cli", code_challenge: undefined, code_challenge_method: undefined },
    { received: "none", fix: "Turn on PKCE with S256 in the application." },
  ],
};

describe("The log of a refusal, without the setting hints", () => {
  for (const [title, [request, expected]] of Object.entries(requests)) {
    it.inServer(`says what came and was expected, and the page does not: ${title}`, async (server) => {
      const page = await server.authorize(request);
      assertEquals(server.logged(), expected);
      const { fix = "hallpass client set" } = expected;
      assertEquals([page.includes("hallpass client set"), page.includes(fix)], [false, false]);
    });
  }

  it.inServer("has the id of the request that the page shows", async ({ authorize, lines }) => {
    const page = await authorize({ redirect_uri: "https://wiki.example/other" });
    const [, id = "none"] = /<dd id="request">([0-9a-f]{16})</.exec(page) ?? [];
    assertEquals(JSON.parse(lines.at(-1) ?? "{}").request, id);
  });

  it.inServer("says how a client may authenticate", async ({ redeem, logged }) => {
    await redeem(basic("wiki", "another-secret"));
    assertEquals(logged(), {
      received: "client_secret_basic, wrong secret of 14 characters",
      expected: "the secret of the client 'wiki'",
      fix: "Enter the client's secret in the application. If it is lost: " +
        "hallpass client secret wiki --add",
    });
    await redeem({}, { client_id: "wiki" });
    assertEquals(logged(), {
      received: "no client authentication",
      expected: "client_secret_basic or client_secret_post",
      fix: "Send the credentials of the client, by the method it is registered for.",
    });
    await redeem(basic("cli", "a-secret-of-a-public-client"));
    assertEquals(logged(), {
      received: "client_secret_basic",
      expected: "no client authentication",
      fix: "the configuration needs 'secret' of the client cli",
    });
  });

  for (const [name, expected] of Object.entries(strangers)) {
    it.inServer(`names a user without the group of a client, and the group: ${name}`, async (server) => {
      const { kit, logged } = server;
      const user = { name, password: "a password", claims: {} };
      if (name !== "alice") await addUser(kit.server.context, user);
      const browser = kit.browser();
      const request = { client_id: "team", redirect_uri: callback, scope: "openid" };
      const page = await browser.open(kit.authorizationUrl(request));
      const password = name === "alice" ? "alice" : user.password;
      const { html } = await browser.signIn(page, name, password);
      assertEquals(logged(), expected);
      assert(!html.includes("staff"), "the page names no group");
    });
  }

  it.inServer("names the redirect URI of a code that came with another one", async (server) => {
    const { kit, redeem, logged } = server;
    const code = await kit.code({ client_id: "wiki", redirect_uri: callback, scope: "openid" });
    await redeem(basic("wiki", secret), { code, redirect_uri: `${callback}/` });
    const fix =
      "Send the redirect_uri of the authorization request to the token endpoint, or none.";
    assertEquals(logged(), { received: `${callback}/`, expected: callback, fix });
  });

  it.inServer("describes as many a minute as one sender can make by hand", async (server) => {
    const { kit, lines, authorize } = server;
    for (let at = 0; at < 40; at++) await authorize({ client_id: "wikki" });
    const described = () => lines.filter((line) => line.includes('"received"')).length;
    assertEquals([lines.length, described()], [40, 30]);
    kit.clock.advance(60);
    await authorize({ client_id: "wikki" });
    assertEquals(described(), 31);
  });

  it("is one line, however long what came is", () => {
    const remedy = { setting: "redirectUris", foreignHost: "evil.example\n\u001b[31m" };
    const { line } = linesOf(remedy, "wiki");
    assert(/^[\x20-\x7e]+$/.test(line), line);
  });

  it("has a whole command for the longest client id and URI: half of one allows another URI", () => {
    const id = `'${"i".repeat(254)}`;
    const start = "https://wiki.example/";
    const remedy = { setting: "redirectUris", value: start.padEnd(200, "'") };
    const { line, fix } = linesOf(remedy, id);
    const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
    const command = `hallpass client set ${quoted(id)} --add ${
      quoted(`redirect-uri=${remedy.value}`)
    }`;
    assertEquals(fix, mistyped + command);
    assert(line.includes(JSON.stringify(command).slice(1)), line);
  });

  it("has a whole command for the longest names of a user and a group", () => {
    const user = { name: "u".repeat(255), kind: "stored" } as const;
    const { fix } = linesOf({ setting: "groups", value: "g".repeat(100), user }, "wiki");
    assertEquals(fix, `hallpass user set ${user.name} --add group=${"g".repeat(100)}`);
  });

  it("has no command if that has no limit", () => {
    const remedy = { setting: "redirectUris", foreignHost: "h".repeat(10_000) };
    const { line, fix } = linesOf(remedy, "wiki");
    assertEquals([fix, line.length < 1000], [undefined, true]);
  });
});

/** What the log has of a refusal that a stored client could avoid. */
function linesOf(remedy: Remedy, client: string): { line: string; fix?: string } {
  const event: ServerEvent = {
    type: "request.refused",
    method: "GET",
    path: "/oauth2/authorize",
    status: 400,
    error: "invalid_request",
    description: "No.",
    remedy,
  };
  const request = { ...blank, client, clientKind: "stored" } as const;
  const { fix } = JSON.parse(formatAsJson(event, new Date(0), request));
  return { line: formatEvent(event, new Date(0), request), fix };
}

const blank = { id: "1", trace: { traceId: "1", flags: 0 }, startedAt: 0, duration: 1, rules: [] };
