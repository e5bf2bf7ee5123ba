import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "node:test";
import { observeRequest } from "../../scripts/rules/observe_rules.ts";
import { describeRule, findRules } from "../../scripts/rules/rule_catalogue.ts";
import type { Finding } from "../../src/lab/findings/finding.ts";
import { ruleCatalogue } from "../../src/lab/util/rule_catalogue.ts";
import { createEventMetrics } from "../../src/program/monitoring/event_metrics.ts";
import { formatEvent } from "../../src/program/monitoring/log.ts";
import { createMetricRegistry } from "../../src/program/monitoring/registry.ts";
import type { EventRequest, ServerEvent } from "../../src/server/config/events.ts";
import { tokenExchangeGrantType } from "../../src/server/protocol/grant_types.ts";
import { type RuleSummary, toOAuthError } from "../../src/server/protocol/oauth_error.ts";
import { outsideLab } from "../support/broken_rules/outside_lab.ts";
import { pageRows } from "../support/broken_rules/page_rows.ts";
import { brokenRules, recordedRules } from "../support/broken_rules/rows.ts";
import { playInLab, type RuleLab } from "../support/broken_rules/rule_lab.ts";
import { present } from "../support/present.ts";
import type { PlayedRow } from "../support/refusals.ts";
import { hasFeature, needs } from "../support/where_feature.ts";

const { rules, places } = ruleCatalogue;

/** Rules that a client without any mistake breaks as well, or its user. The report omits them. */
const ordinary: readonly string[] = [
  ...[
    "interaction.browser",
    "interaction.unfinished",
    "request.still_allowed",
    "user.requested",
    "user.allows",
    "user.may_use",
  ],
  ...["acr.attainable", "acr.reached", "prompt.none_sign_in", "prompt.none_consent"],
  ...["limit.registrations", "limit.stored_data", "limit.guesses", "limit.fetches"],
  ...["user_code.in_time", "user_code.unused", "scope.permitted"],
  ...["auth_req_id.in_time", "auth_req_id.decided", "auth_req_id.allowed"],
  ...["backchannel_decision.in_time", "backchannel_decision.unused"],
  ...["limit.backchannel_requests"],
  ...["device_code.in_time", "device_code.decided", "device_code.allowed", "dpop.nonce"],
];

/** Rules about several parameters, and the one that the row is about. */
const parameters: Readonly<Record<string, string>> = {
  "client.authenticated": "client_secret",
  "client.no_secret": "client_secret",
  "exchange.token": "subject_token",
  "form.stored_length": "state",
  "form.unique": "code",
  "registration.metadata": "grant_types",
  "registration.redirect_uris": "redirect_uris",
  "request.no_secret_in_uri": "code",
};

/** What a lab advises for the reason of a row, where the rule has more than one. */
const fixFor: Readonly<Record<string, string>> = {
  "client.authenticated":
    "Send the secret of this client, unchanged. It may be that of another client or server.",
  "registration.metadata":
    "Register with grant types that are allowed here. The server's setting " +
    "registration.allow.grantTypes lists them.",
};

describe("The log, a recorded request, its page, the report and assertClean name the same rule", () => {
  for (const [id, row] of Object.entries(recordedRules)) {
    it(`where a request breaks ${id}, also with "x" in place of every sentence`, async () => {
      const { fix, parameter = parameters[id] } = catalogued(id);
      const named = { id, parameter, fix: fixFor[id] ?? fix };
      const applied = await assertNamed(row, named);
      const advised = { ...named, fix: fixFor[id] ?? "x" };
      await withoutSentences(applied, () => assertNamed(row, advised));
    });
  }

  for (const [id, row] of Object.entries(pageRows)) {
    it(`and the log alone, where a request for a page breaks ${id}`, async () => {
      const { kit, lines } = await playWithLog(row);
      await using _lab = kit;
      assertStringIncludes(present(lines.at(-1)), id);
    });
  }

  for (const [id, { reason, fail }] of Object.entries(outsideLab)) {
    it(`except for ${id}, whose error names it: ${reason}`, async () => {
      const error = await assertRejects(async () => await fail());
      assertEquals(toOAuthError(error).details.rule?.id, id);
    });
  }
});

/** A rule, as everything that shows a refusal names it. */
interface NamedRule {
  id: string;
  parameter: string | undefined;
  fix: string | undefined;
}

/** Fails unless everything names the broken rule alike. Returns the rules that were applied. */
async function assertNamed(
  row: PlayedRow<RuleLab>,
  { id, parameter, fix }: NamedRule,
): Promise<RuleSummary[]> {
  const { kit, lines, metrics, applied } = await playWithLog(row);
  await using _lab = kit;
  const { id: exchange, client, refusal } = present(kit.lab.requests().at(-1));
  assertEquals([refusal?.rule, refusal?.parameter, refusal?.fix], [id, parameter, fix]);
  assertStringIncludes(present(lines.at(-1)), ` rule=${id} `);
  assertStringIncludes(metrics(), `rule="${id}"`);
  const page = await pageOf(kit, exchange);
  if (fix !== undefined) assertStringIncludes(page, `<p>${escapeText(fix)}</p>`);
  assertStringIncludes(page, `/lab/rules#${id}"><code class="rule">${id}</code>`);
  if (ordinary.includes(id)) return applied;
  if (!hasFeature("report")) return applied;
  const isOwn = ({ where }: Finding) => where.exchanges?.includes(exchange);
  const refused = kit.lab.report().refused.find(isOwn);
  assert(
    refused,
    `The report leaves out '${id}'. If a client without any mistake breaks it as well, add it to ` +
      "'ordinary' in this file; otherwise src/lab/features/report/ must count it.",
  );
  const { error, received, expected, see } = present(refusal);
  assertEquals(refused, { ...refused, ...{ id, error, received, expected, see, fix } });
  assertEquals(refused.where.parameter, parameter);
  assertEquals(refused.where.client, client ?? refused.where.client);
  assertThrows(() => kit.lab.assertClean({ refused: true }), Error, `refused ${id}`);
  return applied;
}

/** Replaces every sentence of some rules while something runs. */
async function withoutSentences(
  rules: readonly RuleSummary[],
  act: () => Promise<unknown>,
): Promise<void> {
  const before = rules.map((rule) => ({ fix: undefined, ...rule }));
  for (const rule of rules) Object.assign(rule, { title: "x", message: "x", fix: "x" });
  try {
    await act();
  } finally {
    for (const [at, rule] of rules.entries()) Object.assign(rule, before[at]);
  }
}

/** Places that only a request with certain facts shows: two parameters, a confined client, a key. */
const placesOfFacts: Readonly<Record<string, readonly string[]>> = {
  "logout.same_client": [
    "GET /oauth2/logout",
    "GET /oauth2/logout/:handle",
    "POST /oauth2/logout/:handle",
  ],
  "id_jag.proof": [`POST /oauth2/token, ${tokenExchangeGrantType}`],
  "resource.allowed": [
    "GET /oauth2/authorize",
    "POST /oauth2/par",
    "POST /oauth2/device_authorization",
    "POST /oauth2/token, client_credentials",
  ],
};

describe("The catalogue of rules", () => {
  it("has every rule of the sources", async () => {
    const texts = (list: readonly object[]) => new Set(list.map((rule) => JSON.stringify(rule)));
    const described = texts((await findRules()).map(describeRule));
    const written = texts(rules);
    const differing = [...described.symmetricDifference(written)];
    assertEquals(differing, [], "Run: deno task generate");
  });

  it("has a row that breaks each rule", needs("any_client", "documents", "faults", "mtls"), () => {
    assertEquals(
      Object.keys({ ...brokenRules, ...outsideLab }).toSorted(),
      rules.map(({ id }) => id).toSorted(),
      "Add what breaks it to rule_rows.ts of its feature, or to tests/support/broken_rules/",
    );
  });

  it(
    "names where each rule is applied, except for those that no request to a lab reaches",
    needs("documents", "mtls"),
    () => {
      const applied = new Set(places.flatMap((place) => place.rules));
      const unseen = rules.map(({ id }) => id).filter((id) => !applied.has(id));
      assertEquals(
        unseen.filter((id) => !Object.hasOwn(outsideLab, id)),
        [],
        "Add a request that reaches them, or a reason to tests/support/broken_rules/outside_lab.ts",
      );
    },
  );

  for (const [rule, expected] of Object.entries(placesOfFacts)) {
    if (!rules.some(({ id }) => id === rule)) continue;
    it(`has ${rule} wherever it applies, though only to requests with certain facts`, () => {
      const names = places.filter((place) => place.rules.includes(rule)).map(({ name }) => name);
      assertEquals(expected.filter((name) => !names.includes(name)), []);
    });
  }
});

/** Plays a row, and returns what the log and the metrics say about refused requests. */
async function playWithLog(row: PlayedRow<RuleLab>) {
  const lines: string[] = [];
  const misplaced: string[] = [];
  const applied = new Set<RuleSummary>();
  const registry = createMetricRegistry();
  const count = createEventMetrics(registry, () => "/oauth2/token");
  const onEvent = (event: ServerEvent, request?: EventRequest) => {
    for (const { rule } of request?.rules ?? []) applied.add(rule);
    if (request?.brokenRule) applied.add(request.brokenRule);
    if (request) misplaced.push(...misplacedIn(event, request));
    if (event.type === "request.refused") lines.push(formatEvent(event, new Date(0)));
    count(event, request);
  };
  const kit = await playInLab(row, { settings: { onEvent } });
  assertEquals(misplaced, [], "The catalogue has another order. Run: deno task generate");
  return { kit, lines, metrics: registry.format, applied: [...applied] };
}

/** Returns where a request applied rules in another order than the catalogue has. */
function misplacedIn(event: ServerEvent, request: EventRequest): string[] {
  return observeRequest(event, request).filter(({ name, rules: applied }) => {
    const order = places.find((place) => place.name === name)?.rules ?? applied;
    const expected = order.filter((id) => applied.includes(id));
    return [...new Set(applied)].join() !== expected.join();
  }).map(({ name }) => name);
}

function catalogued(id: string) {
  return present(rules.find((rule) => rule.id === id));
}

async function pageOf({ lab, issuer }: RuleLab, exchange: number): Promise<string> {
  const flow = lab.flows().find(({ steps }) => steps.some((step) => step.exchange === exchange));
  const path = `/lab/flows/${flow?.id ?? `request-${exchange}`}?exchange=${exchange}`;
  const headers = { Accept: "text/html" };
  const html = await (await lab.fetch(new Request(`${issuer}${path}`, { headers }))).text();
  // No line breaks within an option of a command.
  return html.replaceAll(/<span class="option">(.*?)<\/span>/g, "$1");
}

function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
