import type { UserConfig } from "../../../server/config/user_config.ts";
import type { ClientConfig } from "../../../server/features.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { randomId } from "../../../server/issuer/random.ts";
import type { HeadlessBrowser } from "../../browser/headless_browser.ts";
import { isInterimError } from "../../flows/flow_outcome.ts";
import type { Directory } from "../../lab_server/directory.ts";
import type { Exchange } from "../../recording/exchange.ts";
import type { LabListener } from "../../recording/lab_event.ts";
import { explainRefusal, refusalOf } from "../../recording/refusal.ts";
import type { FlowTrace } from "../../recording/timeline.ts";
import { LabError } from "../../util/lab_error.ts";
import type { FaultName } from "../faults/catalogue.ts";
import type { FaultOptions } from "../faults/config.ts";
import type { Fault } from "../faults/fault.ts";
import type { ObservedTraffic } from "./variants/readers.ts";

/** The parts of a lab that a drill needs. */
export interface WatchedLab {
  readonly context: Context;
  fault(name: FaultName, options?: Omit<FaultOptions, "name">): Fault;
  faults: { remove(id: string): void };
  readonly clients: { list(): readonly ClientConfig[] };
  flows(): readonly FlowTrace[];
  exchanges(): readonly Exchange[];
  subscribe(listener: LabListener): () => void;
}

/** The parts of a lab that the login of an application needs. */
export interface DrilledLab extends WatchedLab {
  readonly handsFreeState: { user: string | null };
  readonly users: Pick<Directory<UserConfig>, "list" | "put" | "remove">;
  browser(): HeadlessBrowser;
  /** Responds to a request without a port. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Takes some steps while the lab knows a user whom it knows otherwise not. */
export async function withUser<Result>(
  { users }: DrilledLab,
  user: UserConfig,
  steps: () => Promise<Result>,
): Promise<Result> {
  users.put(user);
  return await steps().finally(() => users.remove(user.name));
}

/** A drill may make no more users: that is its option, and no failure of the application. */
export class UserLimitError extends LabError {}

export type MakeUser = ReturnType<typeof createUserMaker>;

/** Returns what makes users whom no application can have seen: they differ in every value. */
export function createUserMaker(ctx: Context, atMost: number) {
  let made = 0;
  const kept = new Map<string, UserConfig>();
  /** Makes a user, or returns the one that was made under a name. */
  return (claims: UserConfig["claims"] = {}, as = `user ${made}`): UserConfig => {
    const known = kept.get(as);
    if (known) return known;
    if (made++ >= atMost) {
      throw new UserLimitError(
        `It needs more users than the ${atMost} that a drill makes: --users 12, or users: 12.`,
      );
    }
    const random = () => `hallpass-${randomId(ctx)}`;
    const name = random();
    const own = { name: `Nova ${random()}`, preferred_username: name };
    const email = { email: `${random()}@new.example`, email_verified: true };
    const user = { name, sub: random(), claims: { ...own, ...email, ...claims } };
    kept.set(as, user);
    return user;
  };
}

/** Watches a lab while an application meets a variant: what clients send that may take part. */
export function watchLab(
  lab: WatchedLab,
  takesPart: (client: string | undefined) => boolean = () => true,
) {
  // Tests at the tenants of a lab go on during the drill, and so do other clients.
  const isOwn = (client: string | undefined, tenant: string | undefined) =>
    tenant === undefined && takesPart(client);
  const flows = () => lab.flows().filter(({ client, tenant }) => isOwn(client, tenant));
  const exchanges = () =>
    lab.exchanges().filter(({ request, tenant }) => isOwn(request.client, tenant));
  const seen = () => exchanges().filter(({ id }) => id > lastId);
  const usesBefore = new Map(flows().map(({ id, uses }) => [id, uses]));
  const lastId = exchanges().at(-1)?.id ?? 0;
  const sids: string[] = [];
  const logoutStatuses: number[] = [];
  const delivered: string[] = [];
  const end = lab.subscribe((event) => {
    if (event.type === "sign_in.succeeded") sids.push(event.sid);
    if (event.type === "logout.delivered") delivered.push(event.sid);
    if (event.type === "fault.fired" && event.status !== undefined) {
      logoutStatuses.push(event.status);
    }
  });
  return {
    /** Returns the requests since the start that the lab refused: what follows from one is later. */
    refusals: (): Array<{ request: number; description: string }> =>
      seen().flatMap((each) => {
        const refusal = refusalOf(each);
        const isFinal = refusal && !isInterimError(refusal.error);
        return isFinal
          ? [{ request: each.id, description: explainRefusal(refusal).join(" ") }]
          : [];
      }),
    exchanges: (): readonly Exchange[] => seen(),
    sids: (): readonly string[] => sids,
    /** Whether the application accepted a logout token of one of these sessions. */
    isDelivered: () => sids.some((sid) => delivered.includes(sid)),
    newFlow: () => flows().find(({ id }) => !usesBefore.has(id))?.id,
    /** Returns what the lab saw since the start. */
    observed: (): ObservedTraffic => ({
      usesToken: flows().some(({ id, uses }) => uses > (usesBefore.get(id) ?? 0)),
      requests: seen().map(({ request }) => request),
      logoutStatuses,
    }),
    end,
  };
}
