import type { Context } from "../../../server/issuer/context.ts";
import { isLoopbackHost, isLoopbackName, withScheme } from "../../../server/util/addresses/uri.ts";
import { LabError } from "../../util/lab_error.ts";

export type DrillAccess = ReturnType<typeof drillAccess>;

/** Lets a drill reach what is on this machine, or has one of these origins. */
export function drillAccess({ settings }: Context, origins: readonly string[]) {
  const addresses = settings.addresses.map((address) => new URL(address));
  return {
    /** Whether a URL belongs to the lab, to which no request is sent. */
    isLab: (url: URL) => addresses.some((address) => isSameServer(address, url)),
    /** Whether requests may be sent to a URL. */
    isAllowed: ({ origin, hostname }: URL) => isLoopbackHost(hostname) || origins.includes(origin),
  };
}

/** All names and addresses of this machine lead to the one server that listens on a port. */
function isSameServer(one: URL, other: URL): boolean {
  if (one.origin === other.origin) return true;
  const areHere = [one, other].every(({ hostname }) => isLoopbackName(hostname));
  return areHere && one.protocol === other.protocol && one.port === other.port;
}

/**
 * Checks that a drill may send a request to a URL. A lab can be told to send some by its API, so
 * neither the URL nor a redirect may lead it anywhere else (SSRF).
 */
export function checkDrillUrl(
  { isLab, isAllowed }: DrillAccess,
  url: string,
  target: "application" | "API",
): void {
  const { protocol } = new URL(url);
  if (isLab(new URL(url))) {
    throw new LabError(`${withoutQuery(url)} belongs to the lab. A drill needs your ${target}.`);
  }
  if (/^https?:$/.test(protocol) && isAllowed(new URL(url))) return;
  throw externalUrlError(url, target);
}

/** Returns the error for what would lead a drill elsewhere. */
export function externalUrlError(url: string, target: "application" | "API"): LabError {
  return new LabError(
    `The drill sends no request to ${new URL(url).origin}. It visits ${target}s on this machine, ` +
      "and those whose origin the lab got at its start: hallpass lab --drill-origin ORIGIN, or " +
      "drillOrigins.",
  );
}

/** Ignores an error of the application: what was tried may not be meant for that. */
export function ignoreProblem(cause: unknown): undefined {
  if (!(cause instanceof LabError)) throw cause;
  return undefined;
}

/** Does a step of a login, whose failure is about one of the URLs that the drill was given. */
export async function aboutField<T>(field: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    if (!(cause instanceof LabError) || cause.field !== undefined) throw cause;
    throw new LabError(cause.message, { field, cause });
  }
}

/** Checks that a text is a URL, before it is visited. `name` is that of the option. */
export function checkIsUrl(text: unknown, name: string, target: "application" | "API"): void {
  const isUrl = typeof text === "string" && URL.canParse(text) && !isSchemeless(text);
  if (isUrl) return;
  const meant = typeof text === "string" ? withScheme(text) : undefined;
  const advice = meant === undefined ? "" : ` '${text}' lacks the scheme: write ${meant}.`;
  const article = target === "API" ? "an API" : "your application";
  throw new LabError(`The '${name}' of a drill must be a URL of ${article}.${advice}`, {
    field: name,
  });
}

/** A parser takes the host of "localhost:3000" for a scheme. */
function isSchemeless(text: string): boolean {
  return /^[\w.-]+:\d/.test(text);
}

/** Returns a URL without its parameters, which may be secret. */
export function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? url;
}
