import type { Exchange } from "../recording/exchange.ts";
import { isSameClient } from "../recording/tenant_client.ts";
import type { RefusedRequest } from "./refused_requests.ts";
import { groupBy, type ReportFinding } from "./report_rule.ts";

/** How well a client does, from the best to the worst. */
export type Grade = "A" | "B" | "C" | "D" | "F";

/** What each grade means. */
export const gradeMeanings: Readonly<Record<Grade, string>> = {
  A: "No violations, and no request of it is refused.",
  B: "No violations, but it could do better.",
  C: "The server refuses its requests. A request counts until one to the same endpoint works.",
  D: "It has a violation.",
  F: "It has several violations.",
};

/** How one client did. */
export interface ClientGrade {
  /** The id of the client. */
  client: string;
  /** The tenant or provider that it talked to, if that was not the lab itself: `"google"`. */
  tenant?: string | undefined;
  /** The grade, from A to F. */
  grade: Grade;
  /** How many requests named the client. */
  requests: number;
  /** How many rules it broke. */
  violations: number;
  /** How many of its requests are refused, and have not worked since. */
  refused: number;
  /** How many pieces of advice it could follow. */
  advice: number;
}

/** What is known about the clients of a lab. */
interface ClientEvidence {
  exchanges: readonly Exchange[];
  findings: readonly ReportFinding[];
  refused: readonly RefusedRequest[];
}

/** Grades each client that a request named, in the order in which they came. */
export function gradeClients({ exchanges, findings, refused }: ClientEvidence): ClientGrade[] {
  const named = exchanges.filter(({ request }) => request.client);
  const byClient = groupBy(
    named,
    ({ request: { client }, tenant }) => JSON.stringify([client, tenant]),
  );
  return byClient.map((requests) => {
    const [{ request: { client = "" }, tenant }] = requests;
    const graded = { client, ...tenant !== undefined && { tenant } };
    const own = findings.filter((finding) => isSameClient(finding, graded));
    const counts = {
      violations: countRules(own, "violation"),
      refused: refused.filter((each) => isSameClient(each, graded) && !each.resolved).length,
      advice: countRules(own, "advice"),
    };
    return { ...graded, grade: gradeOf(counts), requests: requests.length, ...counts };
  });
}

function gradeOf(
  { violations, refused, advice }: Pick<ClientGrade, "violations" | "refused" | "advice">,
): Grade {
  if (violations > 1) return "F";
  if (violations === 1) return "D";
  if (refused > 0) return "C";
  return advice > 0 ? "B" : "A";
}

function countRules(findings: readonly ReportFinding[], kind: ReportFinding["kind"]): number {
  return new Set(findings.filter((each) => each.kind === kind).map(({ id }) => id)).size;
}
