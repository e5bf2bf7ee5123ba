import { reachableHost } from "../configuration/configuration.ts";
import { type Deployment, type Diagnosis, isForRealUse } from "./deployment.ts";
import { isListening } from "./probe.ts";

/**
 * Finds out whether a server for real use is stopped, once it responded at none of its addresses:
 * then everything that a proxy responds leads astray.
 */
export async function diagnoseStopped(
  deployment: Deployment,
  listens: typeof isListening = isListening,
): Promise<Diagnosis[]> {
  if (!isForRealUse(deployment)) return [];
  const { host, port } = deployment.listens;
  if (await listens(reachableHost(host), port)) return [];
  const message = `The server is not running: nothing listens on ${host}, port ${port}, of this ` +
    "machine. Start it and look again; if it is on another machine, look from there.";
  return [{ level: "problem", message }];
}
