import { base64url } from "jose";
import { decodeForm } from "../../protocol/form_parameters.ts";

/** The client that a request names, be it true or not. */
export function clientOf(
  authorization: string | undefined,
  form: URLSearchParams,
  query: URLSearchParams,
): string | undefined {
  const named = basicPair(authorization)?.id ?? form.get("client_id") ?? query.get("client_id");
  const assertion = form.get("client_assertion");
  return named ?? (assertion === null ? undefined : subjectOf(assertion));
}

export function isScheme(authorization: string, scheme: string): boolean {
  return authorization.toLowerCase().startsWith(`${scheme.toLowerCase()} `);
}

/** What stands in a Basic header, as far as it can be read. */
export function basicPair(authorization = ""): { id?: string; secret?: string } | undefined {
  if (!isScheme(authorization, "Basic")) return undefined;
  try {
    const [, id, secret] = /^([^:]*)(?::([\s\S]*))?$/.exec(
      atob(authorization.slice("Basic ".length).trim()),
    )!;
    return { id: decodeForm(id), secret: secret === undefined ? undefined : decodeForm(secret) };
  } catch {
    return undefined;
  }
}

function subjectOf(jwt: string): string | undefined {
  const { sub } = readJwt(jwt)?.claims ?? {};
  return typeof sub === "string" ? sub : undefined;
}

/** What a JWT says, without asking whether it is true. */
export function readJwt(
  jwt: string,
): { header: Record<string, unknown>; claims: Record<string, unknown> } | undefined {
  try {
    const [header, claims] = jwt.split(".", 2).map((part) =>
      JSON.parse(new TextDecoder().decode(base64url.decode(part)))
    );
    return { header, claims };
  } catch {
    return undefined;
  }
}
