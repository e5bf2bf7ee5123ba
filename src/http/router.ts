import { OAuthError } from "../protocol/oauth_error.ts";

/** What a row of the table of routes needs in order to be found. */
export interface Routed {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** A path; one segment may be open: `/clients/:id`. */
  path: string;
}

/** Finds the row that answers a request. */
export type Router<Row extends Routed> = (method: string, path: string) => Found<Row>;

export interface Found<Row extends Routed> {
  /** All rows of the path, whatever their method: CORS and `Allow` speak for the path. */
  rows: Row[];
  /** The row for the method; HEAD is answered as GET. */
  row?: Row;
  /** What stood in the open segment. */
  segment: string;
}

/** Exact paths are looked up; the few with an open segment are tried in turn. */
export function createRouter<Row extends Routed>(table: readonly Row[]): Router<Row> {
  const exact = new Map<string, Row[]>();
  const open = new Map<RegExp, Row[]>();
  for (const [path, rows] of groupByPath(table)) {
    if (path.includes("/:")) open.set(patternOf(path), rows);
    else exact.set(path, rows);
  }
  return (method, path) => {
    const { rows, segment } = exact.has(path) ? { rows: exact.get(path)!, segment: "" } : matchOpen(open, path);
    const wanted = method === "HEAD" ? "GET" : method;
    return { rows, segment, row: rows.find((row) => row.method === wanted) };
  };
}

function groupByPath<Row extends Routed>(table: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of table) groups.set(row.path, [...groups.get(row.path) ?? [], row]);
  return groups;
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\/:[^/]+/, "/([^/]+)")}$`);
}

function matchOpen<Row extends Routed>(open: Map<RegExp, Row[]>, path: string): { rows: Row[]; segment: string } {
  for (const [pattern, rows] of open) {
    const match = pattern.exec(path);
    if (match) return { rows, segment: match[1] };
  }
  return { rows: [], segment: "" };
}

export function notFound(): OAuthError {
  return new OAuthError("not_found", "There is nothing at this address.");
}

export function methodNotAllowed(rows: readonly Routed[]): OAuthError {
  const allowed = [...new Set(rows.map((row) => row.method))].join(", ");
  return new OAuthError("invalid_request", `This address answers ${allowed} only.`, { status: 405, headers: { Allow: allowed } });
}
