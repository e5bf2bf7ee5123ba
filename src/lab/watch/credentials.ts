import { base64url } from "jose";
import { decodeForm } from "../../protocol/parameters.ts";

/** The client that a request names, be it true or not. */
export function clientOf(authorization: string | undefined, form: URLSearchParams, query: URLSearchParams): string | undefined {
  const named = basicClient(authorization) ?? form.get("client_id") ?? query.get("client_id");
  const assertion = form.get("client_assertion");
  return named ?? (assertion === null ? undefined : subjectOf(assertion));
}

export function isScheme(authorization: string, scheme: string): boolean {
  return authorization.toLowerCase().startsWith(`${scheme.toLowerCase()} `);
}

function basicClient(authorization = ""): string | undefined {
  if (!isScheme(authorization, "Basic")) return undefined;
  try {
    return decodeForm(atob(authorization.slice("Basic ".length).trim()).split(":")[0]);
  } catch {
    return undefined;
  }
}

function subjectOf(jwt: string): string | undefined {
  const { sub } = readJwt(jwt)?.claims ?? {};
  return typeof sub === "string" ? sub : undefined;
}

/** What a JWT says, without asking whether it is true. */
export function readJwt(jwt: string): { header: Record<string, unknown>; claims: Record<string, unknown> } | undefined {
  try {
    const [header, claims] = jwt.split(".", 2).map((part) => JSON.parse(new TextDecoder().decode(base64url.decode(part))));
    return { header, claims };
  } catch {
    return undefined;
  }
}
