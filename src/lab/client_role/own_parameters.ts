/** A parameter with its value. */
export type Parameter = readonly [name: string, value: string];

/**
 * Parameters of an authorization request that have a field of their own, sent as they are typed.
 */
export const textParameters = [
  "login_hint",
  "acr_values",
  "claims",
  "resource",
  "ui_locales",
] as const;

/** What other parts of the form decide: without them, the response would not come back here. */
const fixedParameters: readonly string[] = [
  "client_id",
  "redirect_uri",
  "state",
  "request",
  "request_uri",
];

/** The parameters that the user wrote, and what is wrong with them. */
export interface OwnParameters {
  parameters: readonly Parameter[];
  problem?: string;
  /** The fields as they were filled in. */
  written: Readonly<Record<(typeof textParameters)[number] | "other", string>>;
}

/**
 * Reads the parameters in the query of a page: the known ones, and any others as one `name=value`
 * per line.
 */
export function readOwnParameters(query: URLSearchParams): OwnParameters {
  const lines = (query.get("other") ?? "").split("\n").map((line) => line.trim()).filter(Boolean);
  const problem = lines.map(lineProblem).find((each) => each !== undefined);
  const others = lines.filter((line) => lineProblem(line) === undefined).map(toParameter);
  const texts = textParameters.flatMap((name) =>
    textsIn(query, name).map((text) => [name, text] as const)
  );
  return {
    parameters: [...texts, ...others],
    ...problem !== undefined && { problem },
    written: writtenIn(query),
  };
}

function writtenIn(query: URLSearchParams): OwnParameters["written"] {
  const textOf = (name: string) => query.get(name) ?? "";
  return {
    login_hint: textOf("login_hint"),
    acr_values: textOf("acr_values"),
    claims: textOf("claims"),
    resource: query.getAll("resource").join(" "),
    ui_locales: textOf("ui_locales"),
    other: textOf("other"),
  };
}

/** Several resources are repeated parameters (RFC 8707, section 2). */
function textsIn(query: URLSearchParams, name: string): string[] {
  const texts = query.getAll(name).map((text) => text.trim()).filter(Boolean);
  return name === "resource" ? texts.flatMap((text) => text.split(/\s+/)) : texts.slice(0, 1);
}

function lineProblem(line: string): string | undefined {
  const at = line.indexOf("=");
  if (at < 1) return `Write each parameter as name=value; this line is not: ${line}`;
  const name = line.slice(0, at).trim();
  if (!fixedParameters.includes(name)) return undefined;
  return `The lab sets '${name}' itself, so that the response comes back to it.`;
}

function toParameter(line: string): Parameter {
  const at = line.indexOf("=");
  return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

/** Replaces parameters where they are, and adds the others at the end. */
export function withParameters(
  parameters: readonly Parameter[],
  changes: readonly Parameter[],
): Parameter[] {
  const changed = new Set(changes.map(([name]) => name));
  const first = new Set<string>();
  const kept = parameters.flatMap((each): readonly Parameter[] => {
    const [name] = each;
    if (!changed.has(name)) return [each];
    if (first.has(name)) return [];
    first.add(name);
    return changes.filter(([other]) => other === name);
  });
  return [...kept, ...changes.filter(([name]) => !first.has(name))];
}
