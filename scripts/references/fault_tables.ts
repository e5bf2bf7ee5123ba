import { code, section, table } from "./markdown.ts";

/** A fault of the catalogue: `id_token.wrong_iss`. */
export interface ListedFault {
  kind: string;
  word: string;
  /** What happens, in one sentence. */
  summary: string;
}

/** What a client must do under a fault, by the name of the fault. */
export type Variants = ReadonlyMap<string, { expectation: string; see: string }>;

/** A place in a request or response that a fault can change. */
interface Jwt {
  kind: string;
  /** How the summary of its faults begins. */
  subject: string;
}

const jwts: readonly Jwt[] = [
  { kind: "id_token", subject: "The ID token " },
  { kind: "access_token", subject: "The access token " },
  { kind: "userinfo", subject: "The signed userinfo response " },
  { kind: "jarm", subject: "The signed authorization response (JARM) " },
  { kind: "logout_token", subject: "The logout token " },
  { kind: "id_jag", subject: "The ID-JAG " },
];

/** Whether a fault changes a JWT. */
export function isInJwt(fault: ListedFault): boolean {
  return jwts.some((jwt) => isIn(fault, jwt));
}

/** Writes a table of the faults that change JWTs, with a column for each kind of JWT. */
export function jwtTable(faults: readonly ListedFault[], variants: Variants): string {
  const rows = new Map<string, ListedFault[]>();
  for (const fault of faults) {
    const key = `${fault.word} | ${changeIn(fault)}`;
    rows.set(key, [...rows.get(key) ?? [], fault]);
  }
  const head = ["", "The token …", ...jwts.map(({ kind }) => code(kind))];
  return table(
    head,
    [...rows.values()].map(([first, ...others]) => [
      code(first?.word ?? ""),
      first ? changeIn(first) : "",
      ...jwts.map((jwt) => cellOf([first, ...others].find((each) => each && isIn(each, jwt)))),
    ]),
  );

  function cellOf(fault: ListedFault | undefined): string {
    return fault ? variants.get(nameOf(fault))?.expectation ?? "•" : "";
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
        variant?.expectation ?? (ofMcp ? "" : "•"),
        ofMcp?.expectation ?? "",
        section((variant ?? ofMcp)?.see ?? ""),
      ];
    }),
  );
}

/** Returns the name of a fault. */
export function nameOf({ kind, word }: ListedFault): string {
  return `${kind}.${word}`;
}

function isIn({ kind, summary }: ListedFault, jwt: Jwt): boolean {
  return kind === jwt.kind && summary.startsWith(jwt.subject);
}

/** Returns what a fault does to a JWT, as the rest of a sentence. */
function changeIn(fault: ListedFault): string {
  const subject = jwts.find((jwt) => isIn(fault, jwt))?.subject ?? "";
  return fault.summary.slice(subject.length, -1);
}
