import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { readFile } from "node:fs/promises";
import { describe } from "node:test";
import { startSettings } from "../../src/lab/lab_server/json_settings.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import { hallpass, type SettingChanges } from "../../src/lab/testing/mod.ts";
import { LabError } from "../../src/lab/util/lab_error.ts";
import { itWith } from "../support/it_with.ts";
import { callLab } from "../support/lab_call.ts";
import { authorizationUrl } from "../support/login.ts";
import { assertLeniency, assertReport } from "../support/reported.ts";
import { testClient } from "../support/test_client.ts";
import { needs, needsSettings } from "../support/where_feature.ts";

const it = itWith({ inLab: () => hallpass(), withDocuments: needs("documents") });

const metadataOf = testClient().metadata;

describe("The settings of a lab that runs", () => {
  it.inLab("change its metadata: grants, scopes, paths", async (lab) => {
    lab.configure({
      grantTypes: ["authorization_code", "refresh_token"],
      scopes: ["openid", "vault"],
      paths: { token: "/token" },
    });
    const metadata = await metadataOf(lab);
    assertEquals(metadata.grant_types_supported, ["authorization_code", "refresh_token"]);
    assertEquals(metadata.scopes_supported, ["openid", "vault"]);
    assertEquals(metadata.token_endpoint, `${lab.issuer}/token`);
  });

  it("are merged: members stay, null removes one, and a reset brings the start back", async () => {
    await using lab = await hallpass({ lifetimes: { accessToken: "5m", idToken: "4m" } });
    const lifetime = async () => (await lab.mint({ sub: "alice" })).expires_in;
    lab.configure({ lifetimes: { idToken: "1m" } });
    assertEquals(await lifetime(), 300);
    lab.configure({ lifetimes: null });
    assertEquals(await lifetime(), 3600);
    await lab.reset();
    assertEquals(await lifetime(), 300);
  });

  it.inLab("keep users, clients and what was issued", async (lab) => {
    lab.users.put({ name: "zoe" });
    lab.clients.put({ id: "mine", secret: "s", grantTypes: ["client_credentials"] });
    const { access_token } = await lab.mint({ sub: "zoe", scope: "openid" });
    lab.configure({ lifetimes: { code: "5s" } });
    const headers = { Authorization: `Bearer ${access_token}` };
    assertEquals((await lab.fetch(`${lab.issuer}/oauth2/userinfo`, { headers })).status, 200);
    assertEquals([lab.users.get("zoe").name, lab.clients.get("mine").id], ["zoe", "mine"]);
  });

  it.inLab("replace users and clients that they name", async (lab) => {
    lab.configure({ users: [{ name: "zoe" }], clients: [{ id: "mine", secret: "s" }] });
    const expected = [["zoe"], 1];
    assertEquals([lab.users.list().map(({ name }) => name), lab.clients.list().length], expected);
    await lab.reset();
    assertEquals(lab.users.list().map(({ name }) => name).includes("alice"), true);
  });

  it.inLab("belong to a snapshot", needs("snapshots"), async (lab) => {
    lab.configure({ lifetimes: { accessToken: "2m" } });
    const snapshot = await lab.snapshot();
    lab.configure({ lifetimes: { accessToken: "3m" } });
    await lab.restore(snapshot);
    assertEquals((await lab.mint({ sub: "alice" })).expires_in, 120);
    lab.configure({ notice: "Other" });
    assertEquals((await lab.mint({ sub: "alice" })).expires_in, 120);
  });

  it.inLab("turn powers of the lab on and off", needs("any_client"), async (lab) => {
    const url = authorizationUrl(lab, { nonce: "n", login_hint: "bob" });
    const status = async () => (await lab.fetch(url, { redirect: "manual" })).status;
    lab.configure({ anyClient: true, errorUri: false, consent: "skip", signInByHint: true });
    assertLeniency(lab, "anyClient");
    const location = (await lab.fetch(url, { redirect: "manual" })).headers.get("Location") ?? "";
    assertMatch(location, /code=/);
    const { body } = await testClient().token(lab, { grant_type: "nonsense" });
    assertEquals([body.error, body.error_uri], ["unsupported_grant_type", undefined]);
    lab.configure({ anyClient: null, signInByHint: null });
    assertReport(lab, { leniencies: [] });
    assertEquals(await status(), 303);
  });

  it.inLab("keep the line on every page about who signs in without one", async (lab) => {
    lab.signIn("bob");
    lab.configure({ notice: "A line of the test." });
    const html = await (await lab.fetch(`${lab.issuer}/no-page`, {
      headers: { Accept: "text/html" },
    })).text();
    assertMatch(html, /A line of the test\. Hands-free sign-in is on/);
  });

  /** Each of these decides who may reach the lab, or what the lab may reach. */
  const closed: Record<string, unknown> = {
    issuer: "https://other.example",
    frontChannelUrl: "https://other.example",
    backChannelUrl: "https://other.example",
    labToken: "another-token-of-32-letters-and-digits",
    controlApart: false,
    pagesUrl: "https://other.example",
    listen: 80,
    host: "0.0.0.0",
    port: 80,
    expose: true,
    tls: true,
    cert: "/etc/passwd",
    key: "/etc/passwd",
    drillOrigins: ["http://169.254.169.254"],
    store: { sqlite: "/tmp/a" },
    policies: {},
    pages: {},
    fetch: "x",
    fetchUntrusted: "x",
    now: 5,
    randomBytes: 5,
    onEvent: 5,
    onLabEvent: 5,
  };
  const privateFetches = { insecure: { privateFetches: true } };
  for (const path of ["/settings", "/tenants"]) {
    for (const [name, value] of Object.entries(closed)) {
      if (path === "/tenants" && name === "issuer") continue;
      for (const given of [value, null]) {
        const title = `refuse ${name}: ${JSON.stringify(given)} by name at POST /lab${path}`;
        const options = name === "drillOrigins" ? needs("drill") : {};
        it(title, options, async () => {
          await using lab = await hallpass();
          const { status, json } = await callLab(lab, `POST ${path}`, { [name]: given });
          assertEquals(status, 400);
          assertMatch(json.error_description, new RegExp(`^'${name}' cannot be set here: `));
        });
      }
    }

    it.inLab(`refuse insecure.privateFetches by name at POST /lab${path}`, async (lab) => {
      const { status, json } = await callLab(lab, `POST ${path}`, privateFetches);
      assertEquals(status, 400);
      assertMatch(json.error_description, /^'insecure.privateFetches' cannot be set here/);
    });
  }

  it.withDocuments("do not let a lab fetch documents of clients if it was not to at its start", async () => {
    const fetchUntrusted = async () => new Response();
    await using lab = await hallpass({ clientMetadataDocuments: false, fetchUntrusted });
    // Without the setting, a lab that can fetch documents does.
    for (const clientMetadataDocuments of [true, null]) {
      const { status, json } = await callLab(lab, "POST /settings", { clientMetadataDocuments });
      assertEquals(status, 400);
      assertMatch(json.error_description, /what a lab may reach/);
    }
  });

  it.inLab("refuse a path to a file where a brand needs the file", async (lab) => {
    const { status } = await callLab(lab, "POST /settings", { brand: { logo: "/etc/passwd" } });
    assertEquals(status, 400);
  });

  const invalid: Array<[changes: object, message: RegExp]> = [
    [{ foo: 1 }, /'foo' is not a setting/],
    [{ lifetimes: 3 }, /'lifetimes' must be an object/],
    [{ lifetimes: { code: "1h" } }, /code' must be between 1 and 600/],
    [{ alg: "none" }, /'alg' must be one of/],
    [{ clients: [{ id: "a", secrett: "b" }] }, /'clients\[0\]\.secrett' is not a setting/],
    [{ grantTypes: ["nonsense"] }, /Cannot change the settings: /],
    [{ unknownClientPkce: "optional", profile: "mcp" }, /Cannot change the settings: /],
    [{ seed: 1 }, /'seed' cannot be set here: /],
    [{ anyGrant: { user: "alice", scopes: [] } }, /'anyGrant' cannot be set here: /],
    [{ anyScope: true }, /'anyScope' cannot be set here: /],
    [{ responseTypes: ["code"] }, /'responseTypes' cannot be set here: /],
    [{ initialFaults: [] }, /'initialFaults' cannot be set here: .*POST \/lab\/faults/],
    [{ signIn: "bob" }, /'signIn' cannot be set here: .*POST \/lab\/sign-in/],
  ];
  it("K7: are documented with those that only a start takes", needs("any_grant"), async () => {
    const documented = await readFile(".github/THE_KIT.md", "utf8");
    const [, list = ""] = /belong to the start of a lab[^:]*: (.*?)\. The error/.exec(documented) ??
      [];
    const listed = list.match(/\w+/g)?.filter((name) => !needsSettings({ [name]: 0 }).skip);
    assertEquals(listed?.sort(), Object.keys(startSettings).sort());
    await using lab = await hallpass();
    const tenant = await lab.tenant({ anyGrant: { user: "alice", scopes: ["openid"] } });
    assertReport(tenant, { leniencies: ["anyGrant"] });
  });

  for (const [changes, message] of invalid) {
    const title = `reject ${JSON.stringify(changes)}, and nothing changes`;
    it(title, needsSettings(changes), async () => {
      await using lab = openLab({ issuer: "https://hallpass.test", users: [{ name: "zoe" }] });
      const before = [lab.settings.read(), lab.context];
      const error = assertThrows(() => lab.configure(changes as SettingChanges), LabError);
      assertMatch(String(error), message);
      assertEquals(
        [lab.settings.read(), lab.context].every((each, at) => each === before[at]),
        true,
      );
    });
  }
});
