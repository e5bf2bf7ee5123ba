import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  applicationsByName,
  fillIn,
  type ListedApplication,
} from "../../../../src/program/features/applications/application.ts";
import { triedApplications } from "../../../corpus/first_try/entries.ts";
import { answerPages, type Browser, readForm } from "../../../support/browser.ts";
import { runCommandLine, startCommandLine } from "../../../support/command_line.ts";
import { openFolder } from "../../../support/folder.ts";
import { serverAt } from "../../../support/http.ts";
import { itWith } from "../../../support/it_with.ts";
import { basic } from "../../../support/kit.ts";
import { present } from "../../../support/present.ts";
import { challenge, verifier } from "../../../support/test_client.ts";
import { type SentMembers, sentMembers } from "./sent_members.ts";

const sealing = { HALLPASS_SECRET: "x".repeat(32) };
const groups = { text: "See your groups", claims: { userinfo: ["groups"], idToken: ["groups"] } };
const scopes = {
  openid: "Know you",
  profile: "See your profile",
  email: "See your address",
  offline_access: "Stay signed in",
  groups,
};
const alice = {
  name: "alice",
  // Of her name, with one iteration: those of a server take longer than all else here.
  passwordHash:
    "pbkdf2-sha256$1$YS1zYWx0LWZvci10ZXN0cw$ljHlHk_LhSZhzfbIoxa1wCSCObigwi5ns9-cpvXQLfg",
  claims: {
    ...{ name: "Alice Adams", email: "alice@example.com", email_verified: true },
    groups: ["staff"],
  },
};

/** Runs commands on a store of their own, with the configuration of RUNNING.md. */
async function openStore(changes: object = {}) {
  const { folder, [Symbol.asyncDispose]: dispose } = await openFolder();
  const path = join(folder, "hallpass.json");
  const store = `sqlite:${join(folder, "a.db")}`;
  await writeFile(path, JSON.stringify({ alg: "ES256", store, scopes, ...changes }));
  const run = (...args: string[]) => runCommandLine([...args, "--config", path], sealing);
  return { path, run, [Symbol.asyncDispose]: dispose };
}

/** Starts `serve`, and runs commands beside it. */
async function openServe() {
  const { path, run, [Symbol.asyncDispose]: removeFolder } = await openStore({
    port: 0,
    users: [alice],
  });
  const served = await startCommandLine(["serve", "--config", path], sealing);
  const dispose = async () => {
    await served.stop();
    await removeFolder();
  };
  return { ...serverAt(served.issuer), run, [Symbol.asyncDispose]: dispose };
}

type Serve = Awaited<ReturnType<typeof openServe>>;

/** What `client add --app` prints for programs. */
interface Added {
  id: string;
  secret?: string;
  application: { text: string; notes: string[] };
}

const applicationUrl = (app: string) => `https://${app}.example/sub`;

async function add(serve: Serve, app: string): Promise<Added> {
  const { code, output } = await serve.run(
    ...["client", "add", `${app}-1`, "--app", app, "--json"],
    ...["--url", `${applicationUrl(app)}/`],
  );
  assertEquals(code, 0, output);
  return JSON.parse(output);
}

/** The requests that an application sends, as its documentation or its source has them. */
class DocumentedClient {
  readonly redirectUris: string[];
  readonly #sends: SentMembers;

  constructor(
    readonly serve: Serve,
    readonly app: string,
    readonly application: ListedApplication,
    readonly added: Added,
  ) {
    this.redirectUris = this.filled("redirectUris");
    this.#sends = present(sentMembers[app]);
  }

  /** Returns a setting of the client, as a list. */
  filled(name: string): string[] {
    const setting = [this.application.client[name] ?? []].flat().map(String);
    return setting.map((text) => fillIn(text, { url: applicationUrl(this.app) }));
  }

  async authorizationUrl(redirectUri: string): Promise<string> {
    const { pkce, nonce, responseMode, par } = this.#sends;
    const fields = {
      response_type: "code",
      client_id: this.added.id,
      redirect_uri: redirectUri,
      scope: this.application.scope,
      state: "a-state-of-the-application",
      ...pkce && { code_challenge: challenge, code_challenge_method: "S256" },
      ...nonce && { nonce: "n".repeat(22) },
      ...responseMode && { response_mode: responseMode },
    };
    const pushed = par ? await this.#post("/oauth2/par", fields) : undefined;
    const sent = pushed
      ? { client_id: this.added.id, request_uri: present(pushed.request_uri) }
      : fields;
    return `${this.serve.issuer}/oauth2/authorize?${new URLSearchParams(sent)}`;
  }

  /** Signs alice in, and returns what the application gets. */
  async callback(browser: Browser, url: string): Promise<URLSearchParams> {
    const page = await answerPages(browser, await browser.open(url));
    if (this.#sends.responseMode !== "form_post") return new URL(page.url).searchParams;
    const { hidden } = readForm(
      { ...page, html: page.html.replace("<form ", '<form id="it" ') },
      "it",
    );
    return new URLSearchParams(hidden);
  }

  redeem(code: string, redirectUri: string): Promise<Record<string, string>> {
    const { pkce } = this.#sends;
    return this.#post("/oauth2/token", {
      ...{ grant_type: "authorization_code", code, redirect_uri: redirectUri },
      ...pkce && { code_verifier: verifier },
    });
  }

  refresh(token: string): Promise<Record<string, string>> {
    return this.#post("/oauth2/token", { grant_type: "refresh_token", refresh_token: token });
  }

  async #post(path: string, fields: Record<string, string>): Promise<Record<string, string>> {
    const { id, secret = "" } = this.added;
    const isBasic = this.#sends.authentication === "client_secret_basic";
    const credentials = this.#sends.authentication === "none"
      ? { client_id: id }
      : { client_id: id, client_secret: secret };
    const body = new URLSearchParams({ ...fields, ...!isBasic && credentials });
    const headers = isBasic ? basic(id, secret) : {};
    const request = new Request(this.serve.issuer + path, { method: "POST", body, headers });
    const response = await this.serve.fetch(request);
    const answer = await response.json();
    assert(response.ok, `${path}: ${JSON.stringify(answer)}`);
    return answer;
  }
}

const isAskedFor = ({ scope }: ListedApplication, name: string) => scope.split(" ").includes(name);

/** Signs in as the application does, and returns the tokens. */
async function signIn(client: DocumentedClient, browser: Browser): Promise<Record<string, string>> {
  const [redirectUri = ""] = client.redirectUris;
  const answer = await client.callback(browser, await client.authorizationUrl(redirectUri));
  assertEquals(answer.get("state"), "a-state-of-the-application", String(answer));
  const tokens = await client.redeem(present(answer.get("code")), redirectUri);
  for (const uri of client.redirectUris) {
    const got = await client.callback(browser, await client.authorizationUrl(uri));
    assertMatch(got.get("code") ?? String(got), /^[\w-]{43}$/, uri);
  }
  return tokens;
}

async function checkClaims(
  { serve, application }: DocumentedClient,
  { id_token = "", access_token = "" }: Record<string, string>,
): Promise<void> {
  const headers = { Authorization: `Bearer ${access_token}` };
  const url = `${serve.issuer}/oauth2/userinfo`;
  const userinfo = await (await serve.fetch(new Request(url, { headers }))).json();
  const expected = {
    ...isAskedFor(application, "profile") &&
      { name: "Alice Adams", preferred_username: "alice" },
    ...isAskedFor(application, "email") &&
      { email: "alice@example.com", email_verified: true },
    ...isAskedFor(application, "groups") && { groups: ["staff"] },
  };
  // A public client gets them at userinfo alone, unless its entry says otherwise.
  const readsIdToken = !application.isPublic || "idTokenClaims" in application.client;
  for (const claims of [userinfo, ...readsIdToken ? [decodeJwt(id_token)] : []]) {
    assertEquals({ ...claims, ...expected }, claims);
  }
  // The default of many libraries
  assertEquals(decodeProtectedHeader(id_token).alg, "RS256");
}

async function checkSignOut(
  client: DocumentedClient,
  browser: Browser,
  id_token_hint: string,
): Promise<void> {
  for (const uri of client.filled("postLogoutRedirectUris")) {
    const fields = new URLSearchParams({ id_token_hint, post_logout_redirect_uri: uri });
    const page = await browser.open(`${client.serve.issuer}/oauth2/logout?${fields}`);
    assertEquals(page.url, uri);
  }
}

function checkLines({ app, application, added }: DocumentedClient): void {
  const { id, secret, application: { text, notes } } = added;
  const names = "id|url|issuer|metadata|secret|scope|random|\\w+_endpoint|jwks_uri";
  assertEquals([text, ...notes].join("\n").match(new RegExp(`(?<!{){(${names})}`)), null);
  assertEquals(text.includes("undefined"), false);
  assertStringIncludes(text, id);
  assertEquals(secret === undefined, application.isPublic ?? false);
  if (secret) assertStringIncludes(text, secret);
  const isMentioned = application.lines.some((line) => line.includes("{url}"));
  assertEquals(text.includes(applicationUrl(app)), isMentioned);
}

describe("Each application with the client that --app alone makes", () => {
  it("signs in by its documented requests, gets claims, refreshes and signs out", async () => {
    const failures: string[] = [];
    await using serve = await openServe();
    for (const [app, application] of applicationsByName) {
      try {
        const client = new DocumentedClient(serve, app, application, await add(serve, app));
        checkLines(client);
        const browser = serve.browser();
        const tokens = await signIn(client, browser);
        await checkClaims(client, tokens);
        if (isAskedFor(application, "offline_access")) {
          const refreshed = await client.refresh(present(tokens.refresh_token));
          assertMatch(present(refreshed.access_token), /./);
        }
        await checkSignOut(client, browser, present(tokens.id_token));
      } catch (cause) {
        failures.push(`${app}: ${cause}`);
      }
    }
    assertEquals(failures, []);
  });
});

describe("The entry of an application", () => {
  for (const [app, application] of applicationsByName) {
    it(`${app} has its source, and says why where it needs less`, () => {
      const { client, source, evidence, name, version, notes, scope, lines } = application;
      const sends = present(sentMembers[app]);
      assertMatch(source, /^https:\/\//);
      assertMatch(evidence, /^(tried|not tried, read 2026-\d\d-\d\d)$/);
      assertMatch(
        present(notes.at(-1)),
        /^For a private certificate authority: .*(FILE|not possible)/,
      );
      assert(name && version && lines.length > 0 && scope.startsWith("openid"));
      assertEquals(lines.filter((line) => /\s$/.test(line)), []);
      // Only who sends neither may do without, and says so.
      const needsLess = !sends.pkce && !sends.nonce;
      assertEquals(client.pkce, needsLess ? "optional" : undefined);
      assertEquals(notes.some((note) => /nor a nonce/.test(note)), needsLess);
      assertEquals(sends.authentication === "none", application.isPublic ?? false);
    });
  }

  it("has the name of a product, or is a library that leaves the name to its user", () => {
    for (const [app, { name, isLibrary }] of applicationsByName) {
      const isPart = /\bwith\b|\bSDK\b|auth|oidc|proxy|boot|streamlit|asp\.net/i.test(name);
      assertEquals(isPart, isLibrary ?? false, app);
    }
  });

  it("of Jellyfin keeps libraries and Live TV for users who are no administrators", () => {
    const { lines } = present(applicationsByName.get("jellyfin"));
    for (const setting of ["Enable All Folders", "Enable Live TV Access"]) {
      assert(lines.some((line) => line.startsWith(`${setting}:`) && line.endsWith(" on")), setting);
    }
  });

  it("is none of MinIO, whose console has no button for OpenID since RELEASE.2025-05-24", () => {
    assertEquals(applicationsByName.has("minio"), false);
  });

  it("is one of at least twenty, in the order of their names", () => {
    const apps = [...applicationsByName.keys()];
    assert(apps.length >= 20);
    assertEquals(apps, [...apps].sort());
    assertEquals(
      [...applicationsByName.values()].filter((each) => each.evidence === "tried").length,
      14,
    );
  });
});

describe("An application that deno task applications connects", () => {
  for (const { app, version } of triedApplications) {
    it(`${app} is tried in its entry, in this version`, () => {
      const entry = present(applicationsByName.get(app));
      assertEquals(entry.evidence, "tried");
      assert(version.startsWith(present(/\d[\d.]*/.exec(entry.version))[0]), entry.version);
    });
  }
});

const other = "https://other.example/cb";
const storeIt = itWith({ withStore: () => openStore() });

describe("hallpass client add without --app", () => {
  const connectionIn = (output: string) => output.split("in its application:\n\n")[1] ?? "";
  const orOptional = (id: string) =>
    `requests need a nonce. If the application has neither: hallpass client set ${id} --pkce optional`;

  storeIt.withStore("prints what to enter, as doctor does", async ({ run }) => {
    const added = await run("client", "add", "wiki", "--secret", "--redirect-uri", other);
    const printed = connectionIn(added.output);
    assertMatch(printed, /^ {2}Issuer +http:\/\/localhost:9000$/m);
    assertMatch(printed, /^ {2}Token +http:\/\/localhost:9000\/oauth2\/token$/m);
    assertMatch(printed, /^ {2}Scopes +openid profile email groups$/m);
    assertMatch(printed, /^ {2}Secret +shown once, /m);
    assertStringIncludes(printed, orOptional("wiki"));
    assertEquals(connectionIn((await run("doctor", "--client", "wiki")).output), printed);
    assertEquals(added.output.match(/\n\n/g)?.length, 2);
  });

  storeIt.withStore("prints how to pass the check that an application fails", async ({ run }) => {
    await run("client", "add", "~wiki", "--secret", "--redirect-uri", other);
    const { output } = await run("doctor", "--client", "~wiki");
    assertStringIncludes(output, orOptional("'~wiki'"));
    await run("client", "set", "~wiki", "--pkce", "optional");
    assertMatch((await run("doctor", "--client", "~wiki")).output, /PKCE +S256; turn it on if/);
  });

  storeIt.withStore("prints for a client that acts for itself what it needs", async ({ run }) => {
    const { output } = await run("client", "add", "batch", "--secret");
    const names = connectionIn(output).match(/^ {2}(\w[\w -]*?) {2}/gm)?.map((each) => each.trim());
    const expected = ["Issuer", "Metadata", "Client ID", "Secret", "Authentication", "Scopes"];
    assertEquals(names, [...expected, "Token"]);
    assertMatch(
      output,
      /Scopes +none; to add one: hallpass client set batch --add scope=NAME$/m,
    );
  });
});

describe("doctor --client", () => {
  it("names the setting of a client of the configuration that sends neither", async () => {
    const clients = [{ id: "wiki", secret: "x".repeat(32), redirectUris: [other] }];
    await using opened = await openStore({ clients });
    const { output } = await opened.run("doctor", "--client", "wiki");
    assertStringIncludes(
      output,
      `requests need a nonce. If the application has neither: "pkce": "optional"`,
    );
  });
});

describe("hallpass client add --app", () => {
  it("lists the applications without a name, without a store", async () => {
    const { code, output } = await runCommandLine(["client", "add", "--app"]);
    assertEquals(code, 0);
    assertMatch(output, /^APP +APPLICATION +VERSION +EVIDENCE$/m);
    assertMatch(output, /^grafana +Grafana +13\.2 +not tried, read 2026-11-26$/m);
    const json = await runCommandLine(["client", "add", "--app", "--json"]);
    assertEquals(JSON.parse(json.output).length, applicationsByName.size);
  });

  storeIt.withStore(
    "prints for people where the lines go, and where they are from",
    async ({ run }) => {
      const { output } = await run(
        ...["client", "add", "g", "--app", "grafana", "--url", "https://g.example"],
      );
      assertMatch(output, /^Added the client g\.\nIts secret, shown only this once: [\w-]{43}$/m);
      assertMatch(
        output,
        /^Enter this in grafana\.ini, for Grafana 13\.2 \(not tried, read 2026-11-26, https/m,
      );
      assertMatch(output, /^client_secret = [\w-]{43}$/m);
      assertMatch(output, /^auth_url = http:\/\/localhost:9000\/oauth2\/authorize$/m);
      assertMatch(output, /^For a private certificate authority: tls_client_ca = FILE$/m);
    },
  );

  storeIt.withStore("prints the name that users see, unless it was given", async ({ run }) => {
    const add = (id: string, ...more: string[]) =>
      run("client", "add", id, "--app", "grafana", "--url", "https://g.example", ...more);
    const named =
      /^Users see the name "Grafana"\. To change it: hallpass client set g --name NAME$/m;
    assertMatch((await add("g")).output, named);
    assertEquals((await add("h", "--name", "Graphs")).output.includes("Users see"), false);
    // A shell reads it as the folder of a user.
    assertStringIncludes((await add("~root")).output, "hallpass client set '~root' --name NAME");
  });

  storeIt.withStore(
    "gives a client the name of its id where it is built with a library",
    async ({ run }) => {
      const ofLibrary = ["--app", "django-allauth", "--url", "https://w.example"];
      const { output } = await run("client", "add", "wiki", ...ofLibrary);
      assertMatch(output, /^Users see the name "wiki"\. To change it: /m);
      assertEquals(JSON.parse((await run("client", "show", "wiki", "--json")).output).name, "wiki");
    },
  );

  storeIt.withStore("lets other options add to it, or replace what it knows", async ({ run }) => {
    const ofGrafana = ["--app", "grafana", "--url", "https://g.example"];
    await run("client", "add", "g", ...ofGrafana, "--redirect-uri", other, "--group", "staff");
    const { output } = await run("client", "show", "g", "--json");
    const { redirectUris, groups, name } = JSON.parse(output);
    assertEquals([redirectUris, groups], [[other], ["staff"]]);
    assertEquals(name, "Grafana");
  });

  const refused: ReadonlyArray<[title: string, args: string[], message: RegExp]> = [
    ["an application that nobody knows", ["g", "--app", "grafanna"], /Did you mean 'grafana'\?/],
    ["another one", ["g", "--app", "quake"], /client add --app lists all/],
    ["no address", ["g", "--app", "grafana"], /needs --url URL, the address of Grafana/],
    ["an address alone", ["g", "--url", "https://g.example"], /--url is the address .* of --app/],
    ["no id", ["--app", "grafana", "--url", "https://g.example"], /Usage: hallpass client add ID/],
    ...[
      "https://g.example/$(id)",
      "https://g.example/'",
      "https://g.example/?a",
      "https://u:p@g.example",
    ]
      .map((url): [string, string[], RegExp] => [
        `the address ${url}`,
        ["g", "--app", "grafana", "--url", url],
        /--url must be the address alone/,
      ]),
    ["an id that a shell reads", ["a b", "--app", "tailscale"], /letters, digits and \._~- alone/],
    [
      "plain http",
      ["g", "--app", "grafana", "--url", "http://g.example"],
      /--url must use https: g\.example is not this machine/,
    ],
  ];
  for (const [title, args, message] of refused) {
    storeIt.withStore(`refuses ${title}, and adds nothing`, async ({ run }) => {
      const { code, output } = await run("client", "add", ...args);
      assertEquals(code === 0, false);
      assertMatch(output, message);
      assertEquals((await run("client", "list", "--json")).output.trim(), "[]");
    });
  }

  it("says what an application does not get where a scope is missing", async () => {
    await using opened = await openStore({ scopes: { openid: "Know you" } });
    const { output } = await opened.run(
      ...["client", "add", "c", "--app", "gitea", "--url", "https://g.example"],
    );
    assertMatch(output, /^warning: Gitea gets less: .* no scope profile, email, groups\.$/m);
  });
});
