import { code, section, table } from "./markdown.ts";

/** A fault of the catalogue: `id_token.wrong_iss`. */
export interface ListedFault {
  kind: string;
  word: string;
  /** What happens, in one sentence. */
  summary: string;
}

/** What a client must do under a fault, with the grades of a finding, by the name of the fault. */
export type Variants = ReadonlyMap<
  string,
  { expectation: string; expected: string; see: string }
>;

/** What several faults can change in the same way: a kind of fault, and how its summaries begin. */
type Subjects = Readonly<Record<string, RegExp>>;

/** Each kind of JWT that a client reads. */
export const jwts: Subjects = {
  id_token: /^The ID token (?!of a refresh)/,
  refresh: /^The ID token of a refresh /,
  access_token: /^The access token /,
  userinfo: /^The (?:signed userinfo response|userinfo response(?= is (?:not )?encrypted)) /,
  jarm: /^The (?:signed )?authorization response \(JARM\) /,
  logout_token: /^The logout token /,
  id_jag: /^The ID-JAG /,
};

/** Each source of the tokens of workloads. */
export const workloadSources: Subjects = {
  azure: /^The metadata service of Azure /,
  google: /^The metadata server of Google /,
  github: /^The runner of GitHub Actions /,
  kubernetes: /^The API of Kubernetes /,
};

/** Whether a fault changes one of the subjects. */
export function isAbout({ kind, summary }: ListedFault, subjects: Subjects): boolean {
  return subjects[kind]?.test(summary) ?? false;
}

/** Writes a table of the faults that change several subjects, with a column for each of these. */
export function subjectTable(
  faults: readonly ListedFault[],
  subjects: Subjects,
  title: string,
  variants: Variants,
): string {
  const rows = Map.groupBy(
    faults.filter((fault) => isAbout(fault, subjects)),
    (fault) => `${fault.word} | ${changeIn(fault)}`,
  );
  return table(
    ["", title, ...Object.keys(subjects).map(code)],
    [...rows.values()].map((row) => [
      ...row.slice(0, 1).flatMap((fault) => [code(fault.word), changeIn(fault)]),
      ...Object.keys(subjects).map((kind) => cellOf(row.find((fault) => fault.kind === kind))),
    ]),
  );

  function cellOf(fault: ListedFault | undefined): string {
    return fault ? variants.get(nameOf(fault))?.expected ?? "•" : "";
  }

  /** Returns what a fault does to its subject, as the rest of a sentence. */
  function changeIn({ kind, summary }: ListedFault): string {
    return summary.replace(subjects[kind] ?? "", "").slice(0, -1);
  }
}

/** Writes a table of faults, with what a client must do. */
export function faultTable(
  faults: readonly ListedFault[],
  login: Variants,
  mcp: Variants,
): string {
  return table(
    ["Fault", "What happens", "Login", "MCP", "Specification"],
    faults.map((fault) => {
      const [variant, ofMcp] = [login, mcp].map((variants) => variants.get(nameOf(fault)));
      return [
        code(nameOf(fault)),
        fault.summary,
        variant?.expected ?? "",
        ofMcp?.[variant ? "expectation" : "expected"] ?? "",
        section((variant ?? ofMcp)?.see ?? ""),
      ];
    }),
  );
}

/** Returns the name of a fault. */
export function nameOf({ kind, word }: ListedFault): string {
  return `${kind}.${word}`;
}
