import { isObject, parseJson } from "../util/json.ts";
import { type Configuration, urlOfAddress } from "./configuration.ts";

/** What a probe responds: whose server it is, why that is not ready, and what is wrong all the same. */
export interface ProbeResponse {
  issuer?: string | undefined;
  reason?: string | undefined;
  warning?: string | undefined;
}

/** Reads the body of a probe. One of another program has none of the members. */
export function readProbe(text: string): ProbeResponse {
  const body = parseJson(text);
  const member = (name: string) => {
    const value = isObject(body) ? body[name] : undefined;
    return typeof value === "string" ? value : undefined;
  };
  return { issuer: member("issuer"), reason: member("reason"), warning: member("warning") };
}

/** Returns where a server says whether it is ready: on its metrics port, if it has one. */
export function readyUrlOf({ program }: Configuration): string | undefined {
  const { metricsPort, metricsHost = "localhost" } = program;
  return metricsPort === undefined ? undefined : `${urlOfAddress(metricsHost, metricsPort)}/ready`;
}
