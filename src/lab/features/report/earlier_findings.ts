import { heldBytes, megabyte } from "../../../server/util/values/bounded_map.ts";
import { type DrillRemarks, findingsOfDrills } from "../../core/remarks.ts";
import {
  drilledAt,
  type Finding,
  isRefused,
  isViolation,
  labelOf,
} from "../../findings/finding.ts";
import { createRing, type RingLimits } from "../../recording/ring.ts";
import { maxNameLength } from "./refused_requests.ts";

/** Of each kind, so that refused requests, which any web page can send, displace no violation. */
const limits: RingLimits = { count: 500, bytes: 2 * megabyte };

/** What was found in requests that the lab no longer has, and by drills that it forgot. */
export type EarlierFindings = ReturnType<typeof createEarlierFindings>;

/** Keeps findings beyond their requests, so that a reset between two tests hides none. */
export function createEarlierFindings() {
  const violations = createRing<KeptFinding>(limits);
  const refused = createRing<KeptFinding>(limits);
  /** What an `assertClean` has seen, by its key. */
  let seen = new Map<string, Finding>();
  let hadApis = false;
  const all = () => [...violations.list(), ...refused.list()];

  function keep(findings: readonly Finding[]): void {
    for (const finding of findings) {
      if (!isViolation(finding) && !isRefused(finding)) continue;
      const ring = isViolation(finding) ? violations : refused;
      const id = keyOf(finding);
      const kept = ring.get(id);
      const isOfDrill = drilledAt(finding) !== undefined;
      // Findings of a drill name no request: only the object tells two drills apart.
      if (isOfDrill && seen.get(id) !== finding) seen.delete(id);
      if (!kept) ring.add({ id, finding }, heldBytes(finding));
      // What was refused may work by now.
      else if (isOfDrill || ring === refused) kept.finding = finding;
    }
  }

  function besides(findings: readonly Finding[], isMeant = (_id: string) => true): Finding[] {
    const present = new Set(findings.map(keyOf));
    return all().filter(({ id }) => !present.has(id) && isMeant(id)).map(({ finding }) => finding);
  }

  return {
    /** Keeps what fails a run of tests; advice does not. */
    keep,
    /** Keeps what drills found, and that there were any of APIs. */
    keepDrills(remarks: DrillRemarks): void {
      hadApis ||= remarks.apis.length > 0;
      keep(findingsOfDrills(remarks));
    },
    /** Whether the results of any API were kept, even if it broke no rule. */
    hadApis: () => hadApis,
    /** Returns what is kept, apart from what is still found. */
    besides: (findings: readonly Finding[]) => besides(findings),
    /** Returns those of `besides` that no `assertClean` has seen. */
    unseen: (findings: readonly Finding[]) => besides(findings, (id) => !seen.has(id)),
    /** Notes that an `assertClean` has seen these findings, and all that are kept. */
    see(findings: readonly Finding[]): void {
      const kept = all().map(({ id, finding }) => [id, finding] as const);
      seen = new Map([...kept, ...findings.map((each) => [keyOf(each), each] as const)]);
    },
    clear(): void {
      violations.clear();
      refused.clear();
    },
  };
}

interface KeptFinding {
  id: string;
  finding: Finding;
}

/** Names a finding by its first request: later ones may join it. */
function keyOf(finding: Finding): string {
  const { api, application, client, tenant, parameter, exchanges = [] } = finding.where;
  return JSON.stringify([
    labelOf(finding),
    finding.id,
    api ?? application,
    client?.slice(0, maxNameLength),
    tenant,
    parameter,
    exchanges[0],
  ]);
}
