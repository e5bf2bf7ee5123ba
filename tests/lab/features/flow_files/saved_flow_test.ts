import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "node:test";
import type { Lab } from "../../../../src/lab/lab.ts";
import type { LabConfig } from "../../../../src/lab/lab_config.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { LabError } from "../../../../src/lab/util/lab_error.ts";
import { sha256 } from "../../../../src/server/util/crypto/hash.ts";
import { createBrowser, textOf } from "../../../support/browser.ts";
import {
  type CredentialLog,
  findCredentials,
  noteCredentials,
} from "../../../support/credentials.ts";
import { basic } from "../../../support/flow_kit.ts";
import { authorizationUrlIn, flowCode, redeemIn, refreshIn } from "../../../support/lab_flow.ts";
import { present } from "../../../support/present.ts";

const issuer = "http://localhost:9000";
const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)></style>`;

/** A lab, and every credential that was sent to it or by it. */
interface NotingLab {
  lab: Lab;
  credentials: CredentialLog;
}

function open(config: Partial<LabConfig> = {}): NotingLab {
  const credentials: CredentialLog = new Map();
  const lab = openLab({ issuer, ...config });
  return { lab: { ...lab, fetch: noteCredentials(lab.fetch, credentials) }, credentials };
}

/** Starts a flow in a browser that signs in with a password, and redeems its code. */
async function playInBrowser({ lab }: NotingLab, query: string): Promise<void> {
  const isExternal = (url: string) => !url.startsWith(`${issuer}/oauth2/`);
  const browser = createBrowser((request) => lab.fetch(request), isExternal);
  const callback = await browser.authorize(`${issuer}/start?${query}`);
  const response = await browser.request(callback);
  const { status, headers } = response;
  const page = { url: callback, status, headers, html: await response.text() };
  await browser.submit(page, "send-exchange");
}

/** Plays flows in which each kind of credential is sent, some of them where none belongs. */
async function playWithCredentials(noting: NotingLab): Promise<void> {
  const { lab, credentials } = noting;
  const url = authorizationUrlIn(lab, { client_id: "demo-web", scope: "openid offline_access" });
  const { code } = await lab.authorize(url, { user: "alice" });
  credentials.set(present(code), "code");
  const redeem = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    lab.fetch(
      new Request(`${issuer}/oauth2/token`, {
        method: "POST",
        headers,
        body: new URLSearchParams({ grant_type: "authorization_code", ...fields }),
      }),
    );
  const secret = "a secret+with/many %odd &letters";
  await redeem({ code: present(code) }, basic("demo-web", secret));
  await redeem({ code: present(code), client_id: "demo-web", client_secret: secret });
  await redeem({ code: present(code), redirect_uri: `${issuer}/authorized?code=${code}` });
}

async function savedFlows(lab: Lab): Promise<string[]> {
  return await Promise.all(lab.flows().map(({ id }) => lab.exportFlow(id)));
}

describe("A flow that is saved as one file", () => {
  const flows: Record<string, [config: Partial<LabConfig>, play: (n: NotingLab) => unknown]> = {
    "codes, passwords, cookies and tokens": [{}, (n) => playInBrowser(n, "client_id=demo-spa")],
    "assertions, proofs and pushed requests": [
      { profile: "fapi-2.0" },
      (n) => playInBrowser(n, "client_id=demo-web"),
    ],
    "a signed response": [{}, (n) => playInBrowser(n, "client_id=demo-web&jarm=on&jar=on")],
    "secrets in both spellings, and a code in a redirect URI": [{}, playWithCredentials],
    "tokens that were used twice": [{}, async ({ lab, credentials }) => {
      const code = await flowCode(lab);
      credentials.set(code, "code");
      const { refresh_token } = await redeemIn(lab, code);
      await refreshIn(lab, refresh_token);
      await refreshIn(lab, refresh_token);
    }],
  };
  for (const [what, [config, play]] of Object.entries(flows)) {
    it(`contains no credential: ${what}`, async () => {
      const noting = open(config);
      await play(noting);
      const { lab, credentials } = noting;
      assert(credentials.size >= 3, String(credentials.size));
      const files = await savedFlows(lab);
      assert(files.length > 0);
      for (const html of files) assertEquals(findCredentials(html, credentials), []);
      assertMatch(files.join(), /\[redacted\]/);
    });
  }

  it("has the diagram, what was issued, every step and why one was refused", async () => {
    const { lab } = open();
    await redeemIn(lab, await flowCode(lab), { redirect_uri: "http://localhost:3000/cb" });
    const html = await lab.exportFlow("flow-1");
    const text = textOf(html);
    assertStringIncludes(html, '<svg class="sequence"');
    assertMatch(text, /What was issued code active/);
    assertStringIncludes(
      text,
      "The redirect_uri must be identical to the one of the authorization request.",
    );
    for (const { request } of lab.exchanges()) {
      if (request.endpoint !== "interaction") assertStringIncludes(text, request.path);
    }
  });

  it("loads, runs and sends nothing, by its own policy", async () => {
    const { lab } = open();
    await redeemIn(lab, await flowCode(lab));
    const html = await lab.exportFlow("flow-1");
    const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
    const hash = (await sha256(style)).replaceAll("-", "+").replaceAll("_", "/");
    assertStringIncludes(
      html,
      `content="default-src 'none'; style-src 'sha256-${hash}='; img-src data:; base-uri 'none'; form-action 'none'"`,
    );
    assert(!/url\(|@import/.test(style));
    const markup = html.replace(style, "");
    assertEquals(
      markup.match(/<(?:script|form|iframe|object|embed|base)\b|\son[a-z]+="|\sstyle=/g),
      null,
    );
    assertEquals(markup.match(/(?:src|href)="(?!#|data:image\/svg\+xml,)[^"]*"/g), null);
  });

  it("leads only to parts of itself, and has no id twice", async () => {
    const { lab } = open();
    const { refresh_token } = await redeemIn(lab, await flowCode(lab));
    await refreshIn(lab, refresh_token);
    const html = await lab.exportFlow("flow-1");
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assertEquals(ids.filter((id, at) => ids.indexOf(id) !== at), []);
    const targets = [...html.matchAll(/href="#([^"]*)"/g)].map(([, target]) => target);
    assert(targets.length > 10);
    assertEquals(targets.filter((target) => !ids.includes(target)), []);
  });

  it("escapes what clients and users sent", async () => {
    const { lab } = open({
      users: [{ name: "alice", password: "alice", claims: { name: hostile } }],
      clients: [{ id: "evil", name: hostile, redirectUris: [`${issuer}/authorized`] }],
    });
    const changes = { client_id: "evil", state: hostile, nonce: hostile, [hostile]: hostile };
    await redeemIn(lab, await flowCode(lab, changes), { client_id: "evil", [hostile]: hostile });
    await redeemIn(lab, "x", { client_id: hostile, grant_type: hostile });
    const files = [...await savedFlows(lab), await lab.exportFlow(`request-${lastId(lab)}`)];
    for (const html of files) {
      assert(!/<script|<img src=x/.test(html));
      assertEquals(html.match(/<\/style>/g)?.length, 1);
    }
    assertMatch(files.join(), /&lt;script>alert\(1\)/);
  });

  it("is the same in TypeScript, over HTTP and below the button on its page", async () => {
    const { lab } = open();
    lab.clock.freeze();
    await redeemIn(lab, await flowCode(lab));
    const html = await lab.exportFlow("flow-1");
    for (const Accept of ["*/*", "text/html"]) {
      const request = new Request(`${issuer}/lab/flows/flow-1/html`, { headers: { Accept } });
      const response = await lab.fetch(request);
      assertEquals(
        response.headers.get("Content-Disposition"),
        'attachment; filename="flow-1.html"',
      );
      assertEquals(response.headers.get("Content-Type"), "text/html; charset=utf-8");
      assertEquals(await response.text(), html);
    }
    const page = await lab.fetch(
      new Request(`${issuer}/lab/flows/flow-1`, { headers: { Accept: "text/html" } }),
    );
    assertStringIncludes(await page.text(), 'href="/lab/flows/flow-1/html" download="flow-1.html"');
  });

  it("is not there for a flow that is not, and not without the token of a lab", async () => {
    const { lab } = open({ labToken: "a-token-of-32-letters-and-digits" });
    await assertRejects(() => lab.exportFlow("flow-9"), LabError, "There is no flow 'flow-9'");
    await flowCode(lab);
    for (const Accept of ["*/*", "text/html"]) {
      const request = new Request(`${issuer}/lab/flows/flow-1/html`, { headers: { Accept } });
      assertEquals((await lab.fetch(request)).status, 401);
    }
  });
});

function lastId(lab: Lab): number {
  return present(lab.exchanges().at(-1)).id;
}
