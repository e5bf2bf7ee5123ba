import { isObject, parseJson } from "../../server/util/text/json.ts";

/** The response to a probe: the issuer, why the server is not ready, or what else is wrong. */
export interface ProbeResponse {
  issuer?: string | undefined;
  reason?: string | undefined;
  warning?: string | undefined;
}

/** Reads the response to a probe. That of another program has none of the members. */
export function readProbe(text: string): ProbeResponse {
  const body = parseJson(text);
  // A server that starts does not know its issuer yet, which is then empty.
  const member = (name: string) => {
    const value = isObject(body) ? body[name] : undefined;
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return { issuer: member("issuer"), reason: member("reason"), warning: member("warning") };
}
