import { describeAddresses, isOwnHost } from "../own_host.ts";
import type { LabToken } from "./lab_token.ts";

/** Why a call is not let through to the powers of the lab. */
export interface AccessProblem {
  status: 401 | 403;
  says: string;
}

/**
 * Any web page can make a browser send requests to localhost, and can give a host name of its own the address of localhost.
 * Neither may mint tokens: what comes from another origin, or was sent to another name, is refused.
 */
export async function accessProblem(
  request: Request,
  addresses: readonly string[],
  token?: LabToken,
  sender?: string,
): Promise<AccessProblem | undefined> {
  const own = addresses.map((address) => new URL(address));
  const origin = request.headers.get("Origin");
  if (origin !== null && !own.some((each) => each.origin === origin)) {
    return { status: 403, says: `The lab takes no orders from pages of '${origin}'.` };
  }
  if (token !== undefined) {
    return await tokenProblem(request.headers.get("Authorization"), token, sender);
  }
  const { hostname } = new URL(request.url);
  return isOwnHost(hostname, addresses)
    ? undefined
    : { status: 403, says: describeAddresses(hostname, addresses) };
}

async function tokenProblem(
  authorization: string | null,
  token: LabToken,
  sender?: string,
): Promise<AccessProblem | undefined> {
  // Without any token, nobody guesses.
  const matches = authorization !== null && await token.isIn(authorization, sender);
  return matches
    ? undefined
    : { status: 401, says: "Send the lab's token: Authorization: Bearer TOKEN." };
}
