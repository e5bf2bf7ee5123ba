/** Writes the document about what a lab does wrong, and what it looks for in clients and APIs. */
import {
  faultTable,
  isAbout,
  jwts,
  type ListedFault,
  subjectTable,
  type Variants,
  workloadSources,
} from "./fault_tables.ts";
import { code, section, table } from "./markdown.ts";
import { moduleOf } from "./module_of.ts";

type DrillCheck = import("../../src/lab/features/verdicts/drill_check.ts").DrillCheck;
type Catalogue = typeof import("../../src/lab/features/faults/catalogue.ts");
type DrillVariants = typeof import("../../src/lab/features/drill/variants/variants.ts");
type SessionChecks = typeof import("../../src/lab/features/drill/session_checks.ts");
type Advice = typeof import("../../src/lab/features/drill/variants/attack_advice.ts");
type Grading = typeof import("../../src/lab/findings/grade.ts");
type GradedRow = Parameters<Grading["describeGrades"]>[0];
type ApiChecks = typeof import("../../src/lab/features/api_drill/checks/checks.ts");
type Report = typeof import("../../src/lab/features/report/report.ts");
type Places = typeof import("../../src/lab/responses/places.ts");

const subjects = [jwts, workloadSources];

const introduction = `# Faults and drills

This page is generated (\`deno task generate\`). A fault makes a lab misbehave: \`lab.fault("token.server_error", { times: 1 })\`, or \`POST /lab/faults\`. A drill repeats a login under each fault that is marked *refuse*, *accept* or *either*, and reports a client that does the opposite; *either* means that the specifications permit both; after *refuse*, the grades that a finding can have ([what they mean](TESTING_A_CLIENT.md#grades)). All others, with • or without a word, are for your own tests. OIDC is OpenID Connect, MCP its authorization specification of 2026-07-28 (SEP: a proposal in it), ASVS that of OWASP (5.0), and OWASP its API Security Top 10. [Testing a client](TESTING_A_CLIENT.md) shows both.`;

const inTokens = `## Faults in tokens

The name of a fault is its column and its row: \`id_token.wrong_iss\`. \`refresh\` is the ID token of a refresh, JARM a signed authorization response, an ID-JAG the assertion of an enterprise. The lab signs the changed token again.`;

const others = `## Other faults

*Login* is \`lab.drill\`, *MCP* is \`lab.drillMcp\`. A fault is unmet if the client never uses what it changes: it calls no userinfo, refreshes nothing, has no \`backchannelLogoutUri\`, or, relying on TLS, never fetches the keys. A response below 300 accepts a logout token.`;

const ofWorkloads = `## Faults of workloads

The name of a fault is its column and its row: \`azure.slow\`.`;

const ofSessions = `## Checks of a session

A drill that visits an application signs in and out once more, without a fault.`;

const ofApis = `## Checks of an API

\`lab.drillApi\` and \`hallpass drill api\` send these requests ([how](TESTING_AN_API.md#drill-your-api)), and skip checks of what the API lacks, such as DPoP.`;

const findings = `## What the report finds

\`lab.report().findings\`, \`/lab/report\` and its JUnit and SARIF files use these ids. [Testing a client](TESTING_A_CLIENT.md#see-what-your-client-does) says which fail a test.`;

/** Returns the document. What belongs to a deleted feature is left out. */
export async function faultReference(): Promise<string> {
  const { catalogue } = await moduleOf<Catalogue>("lab/features/faults/catalogue.ts");
  const faults = [...catalogue ?? []].map(([name, { summary }]): ListedFault => {
    const [kind = "", word = ""] = name.split(".");
    return { kind, word, summary };
  });
  const { places = {} } = await moduleOf<Places>("lab/responses/places.ts");
  const anywhere = faults.filter(({ kind, summary }) => summary.startsWith(`The ${kind} endpoint `))
    .filter(({ word }) => Object.keys(places).every((place) => catalogue?.has(`${place}.${word}`)));
  const [login, mcp] = [await variantsOf("loginVariantsFor"), await variantsOf("mcpVariantsFor")];
  const single = faults.filter((fault) => !anywhere.includes(fault));
  const various = single.filter((fault) => !subjects.some((each) => isAbout(fault, each)));
  const { sessionChecks } = await moduleOf<SessionChecks>("lab/features/drill/session_checks.ts");
  const { apiChecks } = await moduleOf<ApiChecks>("lab/features/api_drill/checks/checks.ts");
  const chapters = [
    [inTokens, subjectTable(single, jwts, "The token …", new Map([...mcp, ...login]))],
    [others, faultTable(various, login, mcp)],
    [ofEndpoints(Object.keys(places)), endpointTable(anywhere, login)],
    [ofWorkloads, subjectTable(single, workloadSources, "The source …", new Map())],
    [ofSessions, await checkTable(sessionChecks)],
    [ofApis, await checkTable(apiChecks)],
    [findings, await findingTable()],
  ];
  return `${[introduction, ...chapters.filter(([, rows]) => rows !== "").flat()].join("\n\n")}\n`;
}

/**
 * Returns the variants of a login, or of a client of an MCP server: those for clients that get
 * something encrypted included, and those of an enterprise.
 */
async function variantsOf(kind: "loginVariantsFor" | "mcpVariantsFor"): Promise<Variants> {
  const { [kind]: find } = await moduleOf<DrillVariants>(
    "lab/features/drill/variants/variants.ts",
  );
  const alg = "ECDH-ES";
  const encrypted = {
    idTokenEncryptionAlg: alg,
    userinfoEncryptionAlg: alg,
    authorizationResponseEncryptionAlg: alg,
  };
  const variants = find?.([{ id: "client", idJag: {}, ...encrypted }] as never) ?? [];
  const { classOf } = await moduleOf<Advice>("lab/features/drill/variants/attack_advice.ts");
  const { describeGrades } = await moduleOf<Grading>("lab/findings/grade.ts");
  return new Map(variants.map((variant) => {
    const { fault, expectation, rule, see } = variant;
    const grades = rule && classOf && ` (${describeGrades?.(classOf(variant))})`;
    return [fault, { expectation, expected: `${expectation}${grades ?? ""}`, see }];
  }));
}

function ofEndpoints(places: readonly string[]): string {
  return `## Faults of any endpoint

\`PLACE\` is one of ${places.map(code).join(", ")}.`;
}

/** Writes a row for each way in which every endpoint can fail. */
function endpointTable(faults: readonly ListedFault[], login: Variants): string {
  const [first] = faults;
  const ofFirst = faults.filter(({ kind }) => kind === first?.kind);
  return table(
    ["Fault", "The endpoint …", "Login"],
    ofFirst.map(({ kind, word, summary }) => {
      const tried = faults.filter((fault) => fault.word === word)
        .flatMap((fault) => login.get(`${fault.kind}.${word}`) ? [fault.kind] : []);
      const expected = tried.map((place) =>
        `${code(place)}: ${login.get(`${place}.${word}`)?.expectation}`
      );
      return [
        code(`PLACE.${word}`),
        summary.slice(`The ${kind} endpoint `.length, -1),
        expected.join(", "),
      ];
    }),
  );
}

async function checkTable(
  checks: ReadonlyArray<Pick<DrillCheck, "id" | "title" | "see"> & GradedRow> = [],
  name = "Check",
): Promise<string> {
  const { describeGrades } = await moduleOf<Grading>("lab/findings/grade.ts");
  return table(
    [name, "Grade", "Rule", "Specification"],
    checks.map((check) => [
      code(check.id),
      describeGrades?.(check) ?? "",
      check.title,
      section(check.see),
    ]),
  );
}

async function findingTable(): Promise<string> {
  const { reportChecks } = await moduleOf<Report>("lab/features/report/report.ts");
  return checkTable(reportChecks, "Finding");
}
