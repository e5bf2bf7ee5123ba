import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { bodySchema, loadLabSchemas } from "../../../../src/lab/control/lab_schemas.ts";
import type { OperationDescription } from "../../../../src/lab/core/operation.ts";
import type { Lab } from "../../../../src/lab/lab.ts";
import { openLab } from "../../../../src/lab/open_lab.ts";
import { frontPages } from "../../../../src/lab/routes/front_pages.tsx";
import { operations } from "../../../../src/lab/routes/operation_table.ts";
import { loadLabPages } from "../../../../src/lab/routes/page_table.ts";
import { explainJwt } from "../../../../src/lab/tokens/explain_jwt.ts";
import { escapeXml } from "../../../../src/lab/util/xml.ts";
import { shellQuote } from "../../../../src/server/util/text/shell_quote.ts";
import { openLabKit } from "../../../support/kit.ts";
import { openTab } from "../../../support/lab_tab.ts";
import { faultNames } from "../../features/faults/fuzz_targets.ts";
import { openSession } from "../flows/session.ts";
import { anyFlow } from "../flows/step.ts";
import { type FuzzTarget, fuzzTarget } from "../fuzz_target.ts";
import { anyForm, anyPairs, type Pair } from "../generators/forms.ts";
import { anyText, hostilePiece } from "../generators/texts.ts";
import { anyJson, anyJwt, anyUri } from "../generators/values.ts";
import { htmlProblems } from "../html_problems.ts";

const labPages = await loadLabPages();

const issuer = "https://hallpass.test";

/** What waits for something, and what would send requests over the network. */
const leftOut = ["/events", "/drill", "/authorize"];

const usedOperations = operations.filter(({ path }) => !leftOut.includes(path));

const schemas = await loadLabSchemas();

/** A body with the described members of an operation, and any others. */
function bodyOf({ body }: OperationDescription): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {} } = body ? bodySchema(schemas, body) : {};
  // A delay makes the lab wait, as it should.
  const names = Object.keys(properties).filter((name) => name !== "delay");
  const name = names.length === 0
    ? hostilePiece
    : fc.oneof(fc.constantFrom(...names), hostilePiece);
  const known = fc.constantFrom<unknown>(
    ...["alice", "demo-spa", "token", "openid", issuer, 1, -1, true, [], {}, ["read"], "5m"],
    ...faultNames,
  );
  const value = fc.oneof(known, anyJson, anyUri);
  return fc.array(fc.tuple(name, value), { maxLength: 5 })
    .map((entries) => Object.fromEntries(entries))
    .map(({ delay: _, ...rest }) => rest);
}

const segments = fc.oneof(fc.constantFrom("alice", "demo-spa", "1", "f1", "%zz", "%00"), anyText);

/** Requests of the interface over HTTP, each with a body and a query. */
const calls = fc.array(
  fc.nat(usedOperations.length - 1).chain((at) =>
    fc.record({
      at: fc.constant(at),
      segment: segments,
      query: anyForm.map((text) => text.replaceAll("wait", "x")),
      body: usedOperations[at] ? bodyOf(usedOperations[at]) : fc.constant({}),
    })
  ),
  { minLength: 1, maxLength: 6 },
);

/** The pages at their paths, but not the stream of events and what would visit applications. */
const shownPages = [
  ...labPages.map((page) => ({ ...page, path: `/lab${page.path}` })),
  ...frontPages,
].filter(({ path }) => path !== "/lab/live" && !path.includes("drill"));

const views = fc.array(
  fc.record({
    at: fc.nat(shownPages.length - 1),
    segment: segments,
    pairs: anyPairs,
    more: fc.array(fc.tuple(fc.constantFrom(...formFields()), anyText), { maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 6 },
);

/** The fields of the lab's own forms. */
function formFields(): string[] {
  return [
    ...["sub", "client", "scope", "kind", "claims", "header", "text", "on", "times", "id", "name"],
    ...["clientName", "redirectUris", "others", "fullName", "email", "back", "state", "body"],
    ...["change", "token", "remove", "off", "secret", "new", "advance", "set", "freeze", "user"],
  ];
}

/** The pages that tell what happened. */
const tellingPages = [
  "",
  "/lab/flows",
  "/lab/report",
  "/lab/rules",
  "/lab/tokens",
  "/lab/faults",
  "/lab/clients",
];
const exports_ = ["/lab/requests", "/lab/flows", "/lab/report?format=junit"];

/** Opens pages and checks what they show. */
async function assertPagesSound(lab: Lab, paths: readonly string[]): Promise<void> {
  const tab = await openTab(lab);
  for (const path of paths) {
    const response = await tab.get(path);
    await assertResponse(response, path);
  }
}

async function assertResponse(response: Response, where: string): Promise<void> {
  assert(response.status < 500, `${where}: ${response.status}`);
  const type = response.headers.get("Content-Type") ?? "";
  const text = await response.text();
  if (type.startsWith("text/html")) assertEquals(htmlProblems(text), [], where);
  if (type.startsWith("application/json") && response.status >= 400) {
    // `/lab/mcp` has errors of JSON-RPC.
    const { error_description, error } = JSON.parse(text);
    assert(typeof (error_description ?? error?.message) === "string", where);
  }
}

/** The lab: its recorder and its pages, its interface over HTTP, and what explains. */
export const labTargets: readonly FuzzTarget[] = [
  fuzzTarget("a lab tells any flow on its pages", anyFlow, async (steps) => {
    const kit = openLabKit();
    const session = await openSession(kit);
    for (const step of steps) {
      for (const { request, response } of await session.run(step)) {
        assert(response.status < 500, `${step.name} ${request.url}`);
      }
    }
    const flows = kit.lab.flows().slice(0, 2).map(({ id }) => `/lab/flows/${id}`);
    await assertPagesSound(kit.lab, [...tellingPages, ...exports_, ...flows]);
    assertEquals(kit.events.filter(({ type }) => type === "server.failed"), []);
  }, 2),

  fuzzTarget("the interface over HTTP refuses or does anything", calls, async (all) => {
    const lab = openLab({ issuer, fetchUntrusted: () => Promise.reject(new Error("no network")) });
    for (const { at, segment, query, body } of all) {
      const operation = usedOperations[at];
      if (!operation) continue;
      const { method, path } = operation;
      const url = `${issuer}/lab${path.replace(/:\w+/, segment)}?${query}`;
      const hasBody = method !== "GET";
      const request = new Request(url, {
        method,
        headers: { "Content-Type": "application/json" },
        ...hasBody && { body: JSON.stringify(body) },
      });
      await assertResponse(await lab.fetch(request), `${method} ${url}`);
    }
    await lab.close();
  }, 10),

  fuzzTarget("the pages of a lab show anything", views, async (all) => {
    const lab = openLab({ issuer, fetchUntrusted: () => Promise.reject(new Error("no network")) });
    const tab = await openTab(lab);
    for (const { at, segment, pairs, more } of all) {
      const page = shownPages[at];
      if (!page) continue;
      const path = page.path.replace(/:\w+/, encodeURI(segment.toWellFormed()));
      const fields = Object.fromEntries<string>([...pairs, ...more as Pair[]]);
      const query = new URLSearchParams(fields);
      const response = page.method === "POST"
        ? await tab.post(path, fields)
        : await tab.get(`${path}?${query}`);
      await assertResponse(response, `${page.method} ${path}`);
    }
    await assertPagesSound(lab, tellingPages);
    await lab.close();
  }, 3),

  fuzzTarget("explainJwt explains what nobody signed", anyJwt, (jwt) => {
    const explained = explainJwt(jwt, Date.UTC(2026, 0, 1));
    if (explained) {
      assert(explained.explainedClaims.every(({ value }) => typeof value === "string"));
    }
  }),

  fuzzTarget("shellQuote gives a shell one word", anyText, (text) => {
    if (text !== "") assertEquals(wordOf(shellQuote(text)), text);
  }),

  fuzzTarget("escapeXml gives text that XML can contain", anyText, (text) => {
    const escaped = escapeXml(text);
    assert(!/[<>"'\t\n\r]/.test(escaped) && escaped.isWellFormed());
    // deno-lint-ignore no-control-regex
    assert(!/[\u0000-\u001f\ufffe\uffff]/.test(escaped));
  }),
];

/** Reads a word as a shell does: single quotes hold anything, a backslash holds one character. */
function wordOf(quoted: string): string {
  assert(!/[\s;&|<>$`"(){}[\]*?!#~]/.test(quoted.replace(/'[^']*'|\\./gs, "")), quoted);
  return quoted.replace(/'([^']*)'|\\(.)/gs, (_, inside, escaped) => inside ?? escaped);
}
