import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe } from "node:test";
import { openLab } from "../../../src/lab/open_lab.ts";
import { textOf } from "../../support/browser.ts";
import { itWith } from "../../support/it_with.ts";
import type { Fields } from "../../support/kit.ts";
import { openTab } from "../../support/lab_tab.ts";
import { hasFeature, needs } from "../../support/where_feature.ts";

const it = itWith({ inLab: () => openLab({ issuer }) });

const issuer = "http://localhost:9000";

/** Reads the fields of a form as a browser would send them. */
function fieldsIn(html: string): Fields {
  const form = html.slice(html.indexOf('id="entry"'));
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => input)
    .filter((input) => !input.includes('type="checkbox"') || / checked/.test(input));
  const areas = [...form.matchAll(/<textarea[^>]*name="(\w+)"[^>]*>([^<]*)/g)];
  const fields: Record<string, string[]> = {};
  const add = (name = "", value = "") => (fields[name] ??= []).push(decode(value));
  for (const input of inputs) {
    add(/name="([^"]*)"/.exec(input)?.[1], /value="([^"]*)"/.exec(input)?.[1]);
  }
  for (const [, name, value] of areas) add(name, value);
  const { form_token: _, ...others } = fields;
  return others;
}

function decode(html: string): string {
  return html.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&");
}

describe("The pages of users and clients", () => {
  for (const what of ["user", "client"] as const) {
    it.inLab(`save each ${what} of the demo unchanged, in its place`, async (lab) => {
      const tab = await openTab(lab);
      const list = () => what === "user" ? lab.users.list() : lab.clients.list();
      const before = structuredClone(list());
      for (const entry of before) {
        const name = "name" in entry && what === "user" ? entry.name : (entry as { id: string }).id;
        const html = await tab.html(`/lab/${what}s/${name}`);
        const response = await tab.post(`/lab/call/put-${what}`, fieldsIn(html));
        assertEquals(response.headers.get("Location"), `/lab/${what}s`);
      }
      assertEquals(list(), before);
    });
  }

  it("say of each client how it authenticates, whatever else it has a key for", async () => {
    await using lab = openLab({ issuer });
    const html = await (await openTab(lab)).html("/lab/clients");
    const kinds = [...html.matchAll(/data-label="Kind"><bdi>(\w+)</g)].map(([, kind]) => kind);
    const agent = hasFeature("ciba") ? ["service"] : [];
    assertEquals(kinds, ["public", "confidential", "native", ...agent, "key", "service"]);
  });

  it("show the clients that registered dynamically, and how", needs("any_client"), async () => {
    await using lab = openLab({ issuer, anyClient: true });
    const tab = await openTab(lab);
    assertMatch(await tab.html("/lab/clients"), /There are none yet/);
    const post = (path: string, init: RequestInit) =>
      lab.fetch(new Request(`${issuer}${path}`, { method: "POST", ...init }));
    await post("/oauth2/register", {
      headers: { "Content-Type": "application/json" },
      body: '{"client_name":"Shop","redirect_uris":["https://shop.example/cb"]}',
    });
    const fields = { grant_type: "client_credentials", client_id: "new-one" };
    await post("/oauth2/token", { body: new URLSearchParams(fields) });
    const html = await tab.html("/lab/clients");
    const others = textOf(html.slice(html.indexOf('id="list-registered-clients"')));
    assertMatch(others, /Shop registration .*client_secret_\w+ https:\/\/shop\.example\/cb/);
    assertMatch(others, /new-one .*first request/);
  });

  it("find users by any of their words, and have pages", async () => {
    const users = Array.from({ length: 60 }, (_, at) => ({
      name: `user-${at}`,
      claims: { name: `Full Name ${at}`, email: `u${at}@example.org` },
    }));
    await using lab = openLab({ issuer, users });
    const tab = await openTab(lab);
    const listed = async (query: string) => {
      const html = await tab.html(`/lab/users?${query}`);
      return [...html.matchAll(/href="\/lab\/users\/(user-\d+)"/g)].map(([, name]) => name);
    };
    assertEquals(await listed("q=NAME+U42@"), ["user-42"]);
    assertEquals([(await listed("")).length, (await listed("page=3"))[9]], [25, "user-59"]);
    assertMatch(textOf(await tab.html("/lab/users?q=u4")), /Users 11 of 60 /);
    assertMatch(await tab.html("/lab/users?q=zzz"), /No entry matches/);
  });

  it.inLab("find clients by a redirect URI", async (lab) => {
    lab.clients.put({ id: "shop", redirectUris: ["https://shop.example/cb"] });
    const html = await (await openTab(lab)).html("/lab/clients?q=shop.example");
    assertMatch(html, /href="\/lab\/clients\/shop"/);
    assertNotMatch(html, /href="\/lab\/clients\/demo-spa"/);
  });

  it.inLab("add a user who can sign in, change and remove them", async (lab) => {
    const tab = await openTab(lab);
    await tab.post("/lab/call/put-user", {
      new: "true",
      name: "dora",
      "claims.email": "dora@example.com",
    });
    assertEquals(lab.users.get("dora"), { name: "dora", claims: { email: "dora@example.com" } });
    assertMatch(await tab.html("/lab/users"), /href="\/lab\/users\/dora"/);
    const fields = { name: "dora", claims: '{"roles":["admin"]}', disabled: "on" };
    await tab.post("/lab/call/put-user", fields);
    assertEquals(lab.users.get("dora"), {
      name: "dora",
      claims: { roles: ["admin"] },
      disabled: true,
    });
    await tab.post("/lab/call/remove-user", { name: "dora" });
    // As a word: a random text may contain the letters.
    assertNotMatch(await tab.html("/lab/users"), /\bdora\b/);
  });

  it.inLab("add a client that can be used at once", async (lab) => {
    await (await openTab(lab)).post("/lab/call/put-client", {
      new: "true",
      id: "shop",
      redirectUris: "https://shop.example/cb\r\nhttps://shop.example/other\r\n",
      grantTypes: ["authorization_code", "refresh_token"],
      scopes: "openid read",
      others: '{"requirePar":true}',
    });
    assertEquals(lab.clients.get("shop"), {
      requirePar: true,
      id: "shop",
      redirectUris: ["https://shop.example/cb", "https://shop.example/other"],
      scopes: ["openid", "read"],
      grantTypes: ["authorization_code", "refresh_token"],
    });
    assertEquals((await lab.mint({ sub: "alice", client: "shop" })).scope, "read");
  });

  const problems: Array<[wrong: string, form: string, fields: Fields, problem: RegExp]> = [
    [
      "redirectUris",
      "call/put-client",
      { new: "true", id: "x", redirectUris: "nonsense" },
      /not an absolute URI/,
    ],
    ["id", "call/put-client", { new: "true", id: "demo-spa" }, /already a client 'demo-spa'/],
    ["others", "call/put-client", { new: "true", id: "x", others: "[]" }, /must be a JSON object/],
    ["others", "call/put-client", { new: "true", id: "x", others: '{"pkcee":1}' }, /pkcee/],
    [
      "others",
      "call/put-client",
      { id: "demo-web", secret: "s", others: '{"native":1}' },
      /native/,
    ],
    ["name", "call/put-user", { new: "true", name: "alice" }, /already a user 'alice'/],
    ["name", "call/put-user", { new: "true", name: "" }, /name/],
    ["claims", "call/put-user", { name: "alice", claims: "{" }, /must be a JSON object/],
  ];
  for (const [wrong, form, fields, problem] of problems) {
    it(`explain ${JSON.stringify(fields)}, mark its field, and change nothing`, async () => {
      await using lab = openLab({ issuer });
      const tab = await openTab(lab);
      const before = structuredClone([lab.users.list(), lab.clients.list()]);
      const response = await tab.post(`/lab/${form}`, fields);
      const html = await response.text();
      assertEquals(response.status, 422);
      assertMatch(/id="problem"[^>]*>([^<]*)/.exec(html)?.[1] ?? "", problem);
      for (const [name, value] of Object.entries(fields)) {
        assertEquals([fieldsIn(html)[name]].flat()[0], value, name);
      }
      assertEquals([lab.users.list(), lab.clients.list()], before);
      const marked = [...html.matchAll(/<(?:input|textarea)[^>]*aria-invalid="true"[^>]*>/g)];
      assertEquals(marked.map(([field]) => / name="(\w+)"/.exec(field)?.[1]), [wrong]);
      assertMatch(marked[0]?.[0] ?? "", /aria-describedby="problem/);
      assert(
        html.includes(`<a href="#${wrong}">Go to the field</a>`) && html.includes(` id="${wrong}"`),
      );
    });
  }

  it.inLab("lead to the grants if one of them is wrong, and to no field if none is", async (lab) => {
    const tab = await openTab(lab);
    const grant = { new: "true", id: "x", grantTypes: "nonsense" };
    const html = await (await tab.post("/lab/call/put-client", grant)).text();
    assertMatch(
      html,
      /<a href="#grantTypes">.*<fieldset id="grantTypes" aria-describedby="problem/s,
    );
    const user = { new: "true", name: "x", sub: "alice" };
    assertNotMatch(await (await tab.post("/lab/call/put-user", user)).text(), /Go to the field/);
  });

  it.inLab("lead from a client to its flows", async (lab) => {
    await lab.fetch(new Request(`${lab.issuer}/oauth2/authorize?client_id=demo-web`));
    const tab = await openTab(lab);
    const [, path = ""] =
      /href="([^"]+)">Its flows</.exec(await tab.html("/lab/clients/demo-web")) ?? [];
    assertMatch(textOf(await tab.html(path)), /Flows .* demo-web/);
  });

  it.inLab("U6: hide secrets until they are asked for, and cut long ids, which a button copies", async (lab) => {
    const id = "a".repeat(255);
    lab.clients.put({ id, redirectUris: [issuer] });
    const html = await (await openTab(lab)).html("/lab/clients");
    assertMatch(html, /<summary[^>]*>••••••<\/summary><code data-copy="secret">demo-web-secret</);
    assertMatch(
      html,
      new RegExp(`<bdi title="${id}">a{79}…</bdi></code></a><span [^>]*data-text="${id}"`),
    );
  });

  it.inLab("say so if there is no such entry", async (lab) => {
    const tab = await openTab(lab);
    const response = await tab.get("/lab/users/nobody");
    assertEquals(response.status, 400);
    assertMatch(await response.text(), /'nobody'/);
    assertEquals((await tab.post("/lab/call/remove-client", { id: "nobody" })).status, 422);
  });
});
