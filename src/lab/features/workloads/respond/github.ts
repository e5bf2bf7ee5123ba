import type { Claims } from "../../../../server/model/claims.ts";
import { minute } from "../../../../server/util/time/duration.ts";
import { isBearer, type SourceCall } from "../source.ts";

/** Responds as the runner of a job. Its URL has a query, to which clients append the audience. */
export async function respondAsGithub(call: SourceCall): Promise<Claims> {
  const { request: { headers, query }, environment, claims, now, must } = call;
  must(isBearer(headers.authorization, environment.ACTIONS_ID_TOKEN_REQUEST_TOKEN), "bearer");
  must(query.get("api-version") === "2.0", "version");
  const aud = query.get("audience") || `https://github.com/${claims.repository_owner}`;
  const times = { iat: now, nbf: now - 5 * minute };
  const { jwt } = await call.sign({ aud, ...times, jti: call.randomText() }, 5 * minute);
  return { count: jwt.length, value: jwt };
}
