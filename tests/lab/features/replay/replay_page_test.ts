import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import type { Lab } from "../../../../src/lab/lab.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { textOf, unescape } from "../../../support/browser.ts";
import { basic } from "../../../support/flow_kit.ts";
import { itWith } from "../../../support/it_with.ts";
import { authorizationUrlIn, flowCode, redeemIn } from "../../../support/lab_flow.ts";
import { type LabTab, openTab } from "../../../support/lab_tab.ts";
import { present } from "../../../support/present.ts";
import { registerAt } from "../../../support/registration.ts";

const it = itWith({ inLab: () => openLab({ issuer }) });

const issuer = "http://localhost:9000";
const labToken = "a-token-of-32-letters-and-digits";
const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`;

/** Returns the fields of the form that edits a request, as a browser would send them. */
function fieldsOf(html: string): Record<string, string> {
  const form = /<form[^>]* id="edit"[\s\S]*?<\/form>/.exec(html)?.[0] ?? "";
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input(?:"[^"]*"|[^>"])*>/g)) {
    const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
    const isBox = attribute("type") === "checkbox";
    const name = attribute("name");
    if (name === undefined || (isBox && !/ checked/.test(tag))) continue;
    fields[name] = unescape(attribute("value") ?? (isBox ? "on" : ""));
  }
  return fields;
}

/** Returns the name of the field that holds the value of a parameter or header. */
function fieldOf(fields: Record<string, string>, name: string): string {
  const [field] =
    Object.entries(fields).find(([key, value]) => key.endsWith("-name") && value === name) ?? [];
  return present(field).replace("-name", "-value");
}

function lastId(lab: Lab): number {
  return present(lab.exchanges().at(-1)).id;
}

/** Opens the form of a request, sends it with changes, and returns the page that it leads to. */
async function replayWith(
  tab: LabTab,
  id: number,
  change: (fields: Record<string, string>) => void,
  query = "",
): Promise<string> {
  const fields = fieldsOf(await tab.html(`/lab/exchanges/${id}/edit${query}`));
  change(fields);
  const response = await tab.post(`/lab/exchanges/${id}/edit`, fields);
  assertEquals(response.status, 303, textOf(await response.text()));
  return await tab.html(present(response.headers.get("Location")));
}

describe("The form that changes a recorded request", () => {
  it.inLab("has the body of a request that sends JSON, unless that hides a secret", async (lab) => {
    const metadata = { redirect_uris: ["https://app.example/#fragment"] };
    const body = JSON.stringify(metadata);
    await registerAt(lab, metadata);
    const tab = await openTab(lab);
    const edit = await tab.html(`/lab/exchanges/${lastId(lab)}/edit`);
    const shown = unescape(edit);
    assertStringIncludes(shown, `spellcheck="false" autocomplete="off">${body}</textarea>`);
    const refused = await replayWith(tab, lastId(lab), (fields) => fields.body = body);
    assertStringIncludes(textOf(refused), "invalid_redirect_uri");
    const accepted = await replayWith(
      tab,
      lastId(lab),
      (fields) => fields.body = body.replace("#fragment", ""),
    );
    assertStringIncludes(textOf(accepted), "The replay was accepted");
    await registerAt(lab, { client_secret: "a-secret-that-nobody-should-see" });
    const hidden = await tab.html(`/lab/exchanges/${lastId(lab)}/edit`);
    assert(!hidden.includes("<textarea") && !hidden.includes("a-secret-that"));
    assertStringIncludes(textOf(hidden), "Show the secrets to edit it.");
  });

  it("sends it as it was, which shows how a second use is refused", async () => {
    await using lab = openLab({ issuer });
    await redeemIn(lab, await flowCode(lab));
    const tab = await openTab(lab);
    const page = textOf(await replayWith(tab, lastId(lab), () => {}));
    assertStringIncludes(page, "The replay was accepted");
    assertStringIncludes(page, "The code was spent: a fresh one was sent in its place.");
    const spent = textOf(await replayWith(tab, lastId(lab), (fields) => fields.spent = "on"));
    assertStringIncludes(spent, "The replay broke the rule code.unused");
  });

  it("changes a parameter, and the page shows both and the rule that differs", async () => {
    await using lab = openLab({ issuer });
    await redeemIn(lab, await flowCode(lab));
    const tab = await openTab(lab);
    const html = await replayWith(tab, lastId(lab), (fields) => {
      fields[fieldOf(fields, "redirect_uri")] = "http://localhost:3000/other";
    });
    const page = textOf(html);
    assertStringIncludes(page, "The replay broke the rule code.redirect_uri (invalid_grant).");
    assertMatch(page, /Original: passed Replay: broken/);
    assertMatch(page, /redirect_uri http:\S+\/authorized http:\/\/localhost:3000\/other changed/);
    assertMatch(page, /code hidden hidden another value, shown with the secrets/);
    assertMatch(page, /client_id demo-spa demo-spa (?!changed)/);
    assertMatch(html, /href="\/lab\/rules#code\.redirect_uri"/);
  });

  it.inLab("sends the parameters with another method, unless the body is no form", async (lab) => {
    await lab.fetch(new Request(authorizationUrlIn(lab)));
    const tab = await openTab(lab);
    const html = await replayWith(tab, lastId(lab), (fields) => fields.method = "POST");
    assertMatch(textOf(html), /method GET POST changed/);
    assertMatch(textOf(html), /nonce a-nonce a-nonce (?!changed)/);
    const edit = await tab.html(`/lab/exchanges/${lastId(lab)}/edit`);
    assertMatch(edit, /<option value="POST" selected>POST<\/option>/);
    const body = JSON.stringify({ redirect_uris: ["https://app.example/"] });
    const headers = { "Content-Type": "application/json" };
    await lab.fetch(new Request(`${issuer}/oauth2/register`, { method: "POST", headers, body }));
    const json = await tab.html(`/lab/exchanges/${lastId(lab)}/edit`);
    assert(!json.includes('name="method"'));
  });

  it.inLab("leaves a parameter out, adds one and repeats one", async (lab) => {
    await lab.fetch(new Request(authorizationUrlIn(lab)));
    const tab = await openTab(lab);
    const html = await replayWith(tab, lastId(lab), (fields) => {
      delete fields[fieldOf(fields, "nonce").replace("-value", "-on")];
      const [first, second] = Object.keys(fields).filter((name) =>
        name.startsWith("parameter-") && name.endsWith("-name") && fields[name] === ""
      );
      Object.assign(fields, {
        [present(first)]: "login_hint",
        [present(first).replace("-name", "-value")]: "bob",
        [present(second)]: "scope",
        [present(second).replace("-name", "-value")]: "read",
      });
    });
    const page = textOf(html);
    assertMatch(page, /Original: request 1 303 303 redirect: \/oauth2\/interaction/);
    assertMatch(page, /nonce a-nonce not sent left out/);
    assertMatch(page, /login_hint not sent bob added/);
    assertMatch(page, /scope openid read openid read read changed/);
    assertStringIncludes(page, "broke the rule form.unique");
  });

  it.inLab("sends hidden secrets as they were recorded, also beside a cleared row", async (lab) => {
    const headers = basic("demo-web", "demo-web-secret");
    const url = authorizationUrlIn(lab, { client_id: "demo-web" });
    const { code } = await lab.authorize(url, { user: "alice" });
    const body = new URLSearchParams({ x: "", code: present(code), code_verifier: "v".repeat(43) });
    await lab.fetch(new Request(`${issuer}/oauth2/token`, { method: "POST", body, headers }));
    const tab = await openTab(lab);
    await replayWith(tab, lastId(lab), (fields) => {
      fields["parameter-0-name"] = "";
    });
    const { request } = present(lab.exchanges().at(-1));
    assertEquals([request.headers.authorization, request.form.get("code"), request.form.has("x")], [
      headers.Authorization,
      code,
      false,
    ]);
  });

  it.inLab("authenticates another client", async (lab) => {
    await redeemIn(lab, await flowCode(lab));
    const tab = await openTab(lab);
    const html = await replayWith(tab, lastId(lab), (fields) => {
      fields.client = "client demo-web";
    });
    assertStringIncludes(textOf(html), "broke the rule code.client");
  });

  it.inLab("offers the clients that the lab has now", async (lab) => {
    await redeemIn(lab, await flowCode(lab));
    const id = lastId(lab);
    lab.clients.remove("demo-web");
    lab.clients.put({ id: "later", redirectUris: ["http://localhost/callback"] });
    const tab = await openTab(lab);
    const clients = (html: string) => html.match(/"client (demo-web|later)"/g);
    const page = await tab.html(`/lab/exchanges/${id}/edit`);
    assertEquals(clients(page), ['"client later"']);
    const removed = { ...fieldsOf(page), client: "client demo-web" };
    const refused = await tab.post(`/lab/exchanges/${id}/edit`, removed);
    assertEquals([refused.status, clients(await refused.text())], [400, ['"client later"']]);
  });

  it.inLab("shows why something cannot be sent, and keeps what was entered", async (lab) => {
    await redeemIn(lab, await flowCode(lab));
    const tab = await openTab(lab);
    const id = lastId(lab);
    const fields = fieldsOf(await tab.html(`/lab/exchanges/${id}/edit`));
    fields[fieldOf(fields, "redirect_uri")] = "http://localhost:3000/kept";
    const empty = present(Object.keys(fields).findLast((name) => name.endsWith("-name")));
    const response = await tab.post(`/lab/exchanges/${id}/edit`, { ...fields, [empty]: "a b" });
    const html = await response.text();
    assertEquals([response.status, lastId(lab)], [400, id]);
    assertStringIncludes(textOf(html), `"a b" is not the name of a header`);
    assertStringIncludes(html, "http://localhost:3000/kept");
  });

  it.inLab("shows no secret unless it is asked for them", async (lab) => {
    const code = await flowCode(lab);
    const { access_token } = await redeemIn(lab, code);
    const id = lastId(lab);
    const { replay } = await lab.replay(id, { parameters: { code: "another-secret-code" } });
    const tab = await openTab(lab);
    for (const path of [`/lab/exchanges/${id}/edit`, `/lab/replays/${replay.id}`]) {
      const hidden = await tab.html(path);
      const secrets = [code, access_token, "another-secret-code"];
      assertEquals(secrets.filter((secret) => hidden.includes(secret)), [], path);
      assertStringIncludes(await tab.html(`${path}?secrets=on`), code);
    }
  });

  it.inLab("escapes what clients sent, and what was entered", async (lab) => {
    const changes = { client_id: hostile, state: hostile, [hostile]: hostile };
    await lab.fetch(new Request(authorizationUrlIn(lab, changes)));
    const tab = await openTab(lab);
    const id = lastId(lab);
    const compared = await replayWith(tab, id, (fields) => {
      fields[fieldOf(fields, "scope")] = hostile;
    });
    for (const html of [await tab.html(`/lab/exchanges/${id}/edit`), compared]) {
      assert(!html.includes("<script>alert") && !html.includes("<img src=x"));
    }
  });

  it("is not there for a request that is not, and no comparison for one of a client", async () => {
    await using lab = openLab({ issuer });
    await lab.fetch(new Request(authorizationUrlIn(lab)));
    const tab = await openTab(lab);
    const messages: Array<[path: string, message: string]> = [
      ["/lab/exchanges/99/edit", "There is no request 99"],
      ["/lab/exchanges/x/edit", "'x' is not the number of a recorded request"],
      ["/lab/replays/1", "Request 1 is no replay"],
    ];
    for (const [path, message] of messages) {
      const response = await tab.get(path);
      assertEquals(response.status, 400);
      assertStringIncludes(textOf(await response.text()), message);
    }
  });
});

describe("A lab with a token", () => {
  it("replays nothing for those who do not have it", async () => {
    await using lab = openLab({ issuer, labToken });
    await redeemIn(lab, await flowCode(lab));
    const id = lastId(lab);
    const tab = await openTab(lab);
    const json = { "Content-Type": "application/json" };
    const url = `${issuer}/lab/requests/${id}/replay`;
    const statuses = [
      await tab.get(`/lab/exchanges/${id}/edit`),
      await tab.post(`/lab/exchanges/${id}/edit`, {}),
      await tab.post(`/lab/exchanges/${id}/replay`, {}),
      await tab.get(`/lab/replays/${id}`),
      await lab.fetch(new Request(url, { method: "POST", headers: json, body: "{}" })),
    ].map(({ status }) => status);
    assertEquals([statuses, lastId(lab)], [[401, 401, 401, 401, 401], id]);
    const headers = { ...json, Authorization: `Bearer ${labToken}` };
    const allowed = await lab.fetch(new Request(url, { method: "POST", headers, body: "{}" }));
    assertEquals([allowed.status, lastId(lab)], [200, id + 1]);
  });
});
