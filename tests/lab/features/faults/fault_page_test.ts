import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe } from "node:test";
import { catalogue } from "../../../../src/lab/features/faults/catalogue.ts";
import type { Fault } from "../../../../src/lab/features/faults/fault.ts";
import {
  describeFirings,
  describeScope,
} from "../../../../src/lab/features/faults/pages/active_faults.tsx";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { itWith } from "../../../support/it_with.ts";
import type { Fields } from "../../../support/kit.ts";
import { openTab } from "../../../support/lab_tab.ts";

const it = itWith({ inLab: () => openLab({ issuer }) });

const issuer = "http://localhost:9000";

describe("The page of faults", () => {
  it.inLab("has a switch for every fault of the catalogue, once, with its sentence", async (lab) => {
    const html = await (await openTab(lab)).html("/lab/faults");
    for (const [name] of catalogue) {
      assertEquals(html.split(`id="${name}-summary"`).length, 2, name);
    }
  });

  it.inLab("U6: has what is often useful first, and returns to it", async (lab) => {
    const tab = await openTab(lab);
    const html = await tab.html("/lab/faults");
    const often = [...html.matchAll(/<li id="often-([^"]*)"/g)].map(([, name]) => String(name));
    assertEquals([often.length, often.filter((name) => !catalogue.has(name as never))], [8, []]);
    assert(html.indexOf("Often useful") < html.indexOf('id="group-callback"'));
    const response = await tab.post("/lab/faults/switch?list=often-", { on: "token.slow" });
    assertEquals(response.headers.get("Location"), "/lab/faults#often-token.slow");
    assertNotMatch(await tab.html("/lab/faults?q=slow"), /Often useful/);
  });

  it.inLab("U6: says on every page what is on, and turns it off there", async (lab) => {
    const tab = await openTab(lab);
    assertNotMatch(await tab.html("/lab/tokens"), /On now/);
    lab.fault("token.slow");
    lab.fault("jwks.slow", { times: 1, delay: "1ms" });
    await lab.fetch(new Request(`${issuer}/oauth2/jwks`));
    for (const path of ["/", "/lab/tokens", "/lab/report?q=x"]) {
      const html = await tab.html(path);
      assertMatch(
        html,
        /class="notice on-now"><a href="\/lab\/faults#active-faults">On now: token\.slow</,
      );
      assert(html.includes(`name="back" value="${path}"`), path);
    }
    const form = { clear: "all", back: "/lab/report?q=x" };
    const response = await tab.post("/lab/faults/switch", form);
    assertEquals(response.headers.get("Location"), "/lab/report?q=x");
    assertEquals(lab.faults.list(), []);
  });

  it.inLab("turns a fault on and off, and shows it", async (lab) => {
    const tab = await openTab(lab);
    const response = await tab.post("/lab/faults/switch", { on: "token.slow", delay: "1s" });
    assertEquals(response.headers.get("Location"), "/lab/faults#token.slow");
    assertEquals(lab.faults.list().map(({ name, delay }) => [name, delay]), [["token.slow", "1s"]]);
    assertMatch(await tab.html("/lab/faults"), /aria-checked="true" aria-label="token\.slow"/);
    await tab.post("/lab/faults/switch", { off: "token.slow" });
    assertEquals(lab.faults.list(), []);
  });

  it.inLab("turns on a fault that changes a response, and one that adds claims", async (lab) => {
    const tab = await openTab(lab);
    const merge = '{"email":null}';
    await tab.post("/lab/faults/switch", { on: "userinfo.changed", status: "203", merge });
    await tab.post("/lab/faults/switch", { on: "token.claims", claims: '{"tier":"gold"}' });
    assertEquals(lab.faults.list().map(({ status, merge, claims }) => [status, merge, claims]), [
      [203, { email: null }, undefined],
      [undefined, undefined, { tier: "gold" }],
    ]);
  });

  it.inLab("turns one of several off, or all", async (lab) => {
    const tab = await openTab(lab);
    for (const on of ["token.slow", "token.slow", "jwks.slow"]) {
      await tab.post("/lab/faults/switch", { on });
    }
    await tab.post("/lab/faults/switch", { remove: "fault-1" });
    assertEquals(lab.faults.list().map(({ id }) => id), ["fault-2", "fault-3"]);
    await tab.post("/lab/faults/switch", { clear: "all" });
    assertEquals(lab.faults.list(), []);
  });

  const forms: Array<[fields: Fields, fault: Partial<Fault>]> = [
    [{ client: " demo-spa ", times: "2" }, { client: "demo-spa", times: 2 }],
    [{ after: "3" }, { nth: 4 }],
    [{ after: "0" }, {}],
    [{ state: "s", loginHint: "alice" }, { state: "s", loginHint: "alice" }],
    [{ on: "token.response", status: "418", body: '{"a":1}' }, { status: 418, body: { a: 1 } }],
    [{ on: "token.response", body: "plain" }, { body: "plain" }],
    [{ status: "418" }, {}],
  ];
  for (const [fields, expected] of forms) {
    it.inLab(`reads ${JSON.stringify(fields)}`, async (lab) => {
      await (await openTab(lab)).post("/lab/faults/switch", { on: "token.slow", ...fields });
      const [{ id: _id, name: _name, met: _met, fired: _fired, ...rest } = {}] = lab.faults.list();
      assertEquals(rest, expected);
    });
  }

  it.inLab("turns on a fault of a tenant, which a lab without tenants does not offer", async (lab) => {
    const tab = await openTab(lab);
    assertNotMatch(await tab.html("/lab/faults"), /name="tenant"/);
    const tenant = await lab.tenant({ id: "acme" });
    assertMatch(await tab.html("/lab/faults"), /name="tenant"[\s\S]*<option value="acme"/);
    await tab.post("/lab/faults/switch", { on: "token.slow", tenant: "acme" });
    assertEquals(tenant.faults.list().map(({ name }) => name), ["token.slow"]);
    assertMatch(await tab.html("/lab/faults"), /every client · tenant acme/);
    await tab.post("/lab/faults/switch", { off: "token.slow" });
    assertEquals(tenant.faults.list(), []);
  });

  const problems: Array<[fields: Fields, problem: RegExp]> = [
    [{ times: "many" }, /'many' is not a whole number/],
    [{ times: "0" }, /must be a whole number of at least 1/],
    [{ delay: "soon" }, /must be a duration/],
    [{ tenant: "nobody" }, /There is no tenant 'nobody'/],
    [{ on: "nonsense" }, /no fault 'nonsense'|'nonsense'/],
  ];
  for (const [fields, problem] of problems) {
    it.inLab(`explains ${JSON.stringify(fields)}, and keeps what was entered`, async (lab) => {
      const tab = await openTab(lab);
      const form = { on: "token.slow", client: "demo-web", ...fields };
      const response = await tab.post("/lab/faults/switch", form);
      const html = await response.text();
      assertEquals([response.status, lab.faults.list()], [422, []]);
      assertMatch(/id="problem"[^>]*>([^<]*)/.exec(html)?.[1] ?? "", problem);
      assertMatch(html, /name="client"[^>]*value="demo-web"/);
    });
  }

  it.inLab("marks the field that is wrong", async (lab) => {
    const tab = await openTab(lab);
    const response = await tab.post("/lab/faults/switch", { on: "token.slow", times: "many" });
    const marked = (await response.text()).match(/<input[^>]*aria-invalid="true"[^>]*>/g);
    assertEquals(marked?.length, 1);
    assertMatch(marked?.[0] ?? "", /name="times"/);
  });

  it.inLab("folds the options of the next fault, unless one of them is wrong", async (lab) => {
    const tab = await openTab(lab);
    assertMatch(await tab.html("/lab/faults"), /id="fault-scope">/);
    const refused = await tab.post("/lab/faults/switch", { on: "token.slow", times: "many" });
    assertMatch(await refused.text(), /id="fault-scope" open /);
  });

  it.inLab("searches without a script", async (lab) => {
    const html = await (await openTab(lab)).html("/lab/faults?q=nonce+different");
    assertMatch(html, /aria-label="id_token\.wrong_nonce"/);
    assertNotMatch(html, /aria-label="token\.slow"/);
  });

  it.inLab("folds its groups, and opens those in which a search finds something", async (lab) => {
    const tab = await openTab(lab);
    const shown = await tab.html("/lab/faults");
    assertNotMatch(shown, /<details class="panel group" id="group-[^>]* open/);
    const groups = (await tab.html("/lab/faults?q=nonce+different")).match(
      /class="panel group" id="group-[^>]*/g,
    );
    assertEquals(groups?.length, 1);
    assertMatch(groups?.[0] ?? "", / open/);
  });

  it.inLab("keeps the search at each switch, and when a field is wrong", async (lab) => {
    const tab = await openTab(lab);
    const q = `slow "&`;
    const locationOf = async (fields: Fields) =>
      (await tab.post("/lab/faults/switch", { q, ...fields })).headers.get("Location");
    assertEquals(await locationOf({ on: "token.slow" }), "/lab/faults?q=slow+%22%26#token.slow");
    assertEquals(await locationOf({ clear: "all" }), "/lab/faults?q=slow+%22%26");
    const refused = await tab.post("/lab/faults/switch", { q, on: "token.slow", times: "x" });
    assertMatch(await refused.text(), /id="q"[^>]*value="slow &quot;&amp;"/);
  });

  it.inLab("shows what has fired", async (lab) => {
    lab.fault("jwks.server_error", { times: 1 });
    await lab.fetch(new Request(`${issuer}/oauth2/jwks`));
    const html = await (await openTab(lab)).html("/lab/faults");
    assertMatch(
      html,
      /id="strikes".*href="\/lab\/flows\/request-1\?exchange=1".*jwks\.server_error.*GET \/oauth2\/jwks.*500/s,
    );
    assertMatch(html, /used up/);
  });

  const fault = (changes: Partial<Fault>): Fault => ({
    name: "token.slow",
    id: "fault-1",
    met: 0,
    fired: 0,
    ...changes,
  });
  const words: Array<[fault: Partial<Fault>, scope: string, firings: string]> = [
    [{}, "every client", "has met no request yet"],
    [{ client: "spa", times: 3, met: 1, fired: 1 }, "client spa · 2 more times", "fired 1 time"],
    [
      { nth: 4, met: 2 },
      "every client · after 3 requests · 1 more time",
      "met 2 requests, fired on none",
    ],
    [{ times: 1, met: 9, fired: 1 }, "every client · used up", "fired 1 time"],
  ];
  for (const [changes, scope, firings] of words) {
    it(`says '${scope}' and '${firings}' of ${JSON.stringify(changes)}`, () => {
      const expected = [scope, firings];
      assertEquals([describeScope(fault(changes)), describeFirings(fault(changes))], expected);
    });
  }

  it.inLab("is not changed by Enter in a field, which would press the first button", async (lab) => {
    lab.fault("token.slow");
    const html = await (await openTab(lab)).html("/lab/faults");
    const [first = ""] = /<button[^>]*>/.exec(html.slice(html.indexOf('id="fault-form"'))) ?? [];
    assert(first.includes("disabled"), first);
  });
});
