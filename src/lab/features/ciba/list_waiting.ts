import { featuresOf } from "../../../server/issuer/active_features.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { listUsers } from "../../../server/issuer/directory/directory_entries.ts";

/** A request over the back channel that waits for its user. */
export interface OpenApproval {
  /** The name of the user. */
  user: string;
  /** The id of the client that asks. */
  client: string;
  /** What the client also shows to the user. */
  message?: string | undefined;
  /** The scope that it asks for. */
  scope: string;
}

/** Lists the requests that wait for users. */
export async function listWaiting(ctx: Context): Promise<OpenApproval[]> {
  const users = (await listUsers(ctx)).map(({ value }) => value);
  const waiting = await Promise.all(users.map(async (user) => {
    const requests = await featuresOf(ctx).waitingFor(ctx, user);
    return requests.map(({ pending: { clientId, scope }, bindingMessage }): OpenApproval => ({
      user: user.name,
      client: clientId,
      ...bindingMessage !== undefined && { message: bindingMessage },
      scope: scope.join(" "),
    }));
  }));
  return waiting.flat();
}
