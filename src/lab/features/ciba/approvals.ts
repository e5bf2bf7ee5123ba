import type { ServerEvent } from "../../../server/config/events.ts";
import { featuresOf, type OpenRequest } from "../../../server/issuer/active_features.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { listUsers } from "../../../server/issuer/directory/directory_entries.ts";
import { findUser } from "../../../server/issuer/users/users.ts";
import { OAuthError } from "../../../server/protocol/oauth_error.ts";
import { lazyModule } from "../../../server/util/lazy_module.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { ChosenParts, LabParts } from "../../handling/lab_parts.ts";
import { waitOnClock } from "../../handling/wait_on_clock.ts";
import { unless } from "../../layers/layer.ts";
import type { RefusalEvent } from "../../recording/refusal.ts";
import { checkBody } from "../../util/check_body.ts";
import { readSpan } from "../../util/clock.ts";
import { LabError } from "../../util/lab_error.ts";
import { type ApproveCall, type ApproveOptions, callSchemas } from "./calls.ts";

const { decide } = lazyModule(() => import("./decide.ts"));
const { requireMintUser } = lazyModule(() => import("../../tokens/mint_parties.ts"));

/** What a test can do for users whom clients ask over the back channel. */
export interface CibaTools {
  /**
   * Decides for a user about back-channel requests (CIBA): `lab.approve("alice", { deny: true })`.
   * Without one, it decides about the next, and returns an empty list.
   *
   * @throws {LabError} There is no such user, or `after` is no duration.
   */
  approve(user: string, options?: ApproveOptions): Promise<Approval[]>;
}

/** A request that is decided about. */
export interface Approval {
  /** The id of the client that asks. */
  client: string;
  /** What the client also shows to the user. */
  bindingMessage?: string | undefined;
  /** What the user decides. */
  decision: "allow" | "deny";
}

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

/** A refusal names so many users at most. */
const maxNames = 10;

/** Creates what decides for users, at once or later. */
export function createApprovals(parts: () => LabParts, lab: () => CoreLab) {
  let plans: ApproveCall[] = [];
  /** The decisions that are under way, each with the time at which it is due. */
  const pending = new Map<string, { dueAt: number; done: Promise<void> }>();

  async function begin(
    request: OpenRequest,
    { deny = false, after = 0 }: ApproveCall,
    learned: readonly ServerEvent[] | undefined = beganIn(lab(), request),
  ): Promise<void> {
    const { clock, server } = parts();
    const dueAt = clock.now() + readSpan(after);
    // A reset forgets the request.
    const isKnown = (): boolean => pending.get(request.id)?.done === done;
    const done: Promise<void> = waitOnClock(parts(), dueAt)
      .then(() => {
        if (!isKnown()) return;
        return decide(notingIn(learned, server.current().context), request, deny);
      })
      .catch(ignoreLate)
      .finally(() => pending.delete(request.id));
    pending.set(request.id, { dueAt, done });
    if (dueAt <= clock.now()) await done;
  }

  async function approve(name: string, options: ApproveOptions = {}): Promise<Approval[]> {
    const { context: ctx } = parts().server.current();
    // A plan for later is refused now.
    checkBody(callSchemas.ApproveCall, { ...options, user: name });
    const user = await requireMintUser(ctx, name);
    const plan = { ...options, user: user.name };
    const open = (await featuresOf(ctx).waitingFor(ctx, user))
      .filter(({ id, pending: { clientId } }) => !pending.has(id) && isFor(plan, clientId));
    if (open.length === 0) plans.push(plan);
    for (const request of open) await begin(request, plan);
    return open.map(({ pending: { clientId }, bindingMessage }) => ({
      client: clientId,
      bindingMessage,
      decision: plan.deny ? "deny" : "allow",
    }));
  }

  /** Decides about a new request as it was planned, or as the user signs in without a page. */
  async function follow(
    ctx: Context,
    { request: id, client, user: name }: Extract<ServerEvent, { type: "backchannel.began" }>,
    learned: readonly ServerEvent[],
  ): Promise<void> {
    const planned = plans.find((plan) => plan.user === name && isFor(plan, client));
    plans = plans.filter((plan) => plan !== planned);
    const plan = planned ?? planOfSignIn(parts(), name);
    const user = plan && await findUser(ctx, name);
    if (!plan || !user) return;
    const request = (await featuresOf(ctx).waitingFor(ctx, user)).find((each) => each.id === id);
    if (request) await begin(request, plan, learned);
  }

  return {
    approve,
    layers: {
      permit: unless(({ request }) => !isOfCiba(request), async (exchange, next) => {
        const { request, server: { context: ctx }, learned } = exchange;
        const hint = request.form.get("login_hint");
        if (hint !== null) await parts().server.unknownUsers?.admit(hint);
        const due = [...pending.values()].filter(({ dueAt }) => dueAt <= ctx.now());
        await Promise.all(due.map(({ done }) => done));
        const response = await next();
        const began = learned.events.find((event) => event.type === "backchannel.began");
        if (began) await follow(ctx, began, learned.events);
        else if (learned.events.some(isAboutUnknownUser)) {
          learned.events = learned.events.map((each) => nameUsers(each, hint, lab()));
        }
        return response;
      }),
    },
    clear() {
      plans = [];
      pending.clear();
    },
    capture() {
      const captured = [...plans];
      return () => void (plans = [...captured]);
    },
  };
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

/** Returns the events of the exchange that asked for a decision, if it is still recorded. */
function beganIn(lab: CoreLab, { id }: OpenRequest): readonly ServerEvent[] | undefined {
  return lab.exchanges().map(({ events }) => events).findLast((events) =>
    events.some((event) => event.type === "backchannel.began" && event.request === id)
  );
}

/** Adds the decision to the events of a flow: no request of the flow brings it. */
function notingIn(learned: readonly ServerEvent[] | undefined, ctx: Context): Context {
  const emit = (event: ServerEvent): void => {
    const isDecision = event.type === "backchannel.allowed" || event.type === "backchannel.denied";
    if (isDecision) (learned as ServerEvent[] | undefined)?.push(event);
    ctx.emit(event);
  };
  return { ...ctx, emit };
}

function isAboutUnknownUser(event: ServerEvent): event is RefusalEvent {
  return event.type === "request.refused" && event.rule === "backchannel.user_known";
}

/** Adds to the refusal of an unknown user what came, and the users: no server may name them. */
function nameUsers(event: ServerEvent, hint: string | null, { users }: CoreLab): ServerEvent {
  if (!isAboutUnknownUser(event)) return event;
  const names = users.list().slice(0, maxNames).map(({ name }) => name);
  return { ...event, expected: names.join(", "), received: hint ?? "another hint" };
}

function isOfCiba({ endpoint, form }: { endpoint?: string | undefined; form: URLSearchParams }) {
  return endpoint === "backchannelAuthentication" ||
    (endpoint === "token" && form.has("auth_req_id"));
}

function isFor({ client }: ApproveCall, clientId: string): boolean {
  return client === undefined || client === clientId;
}

function planOfSignIn({ handsFree }: ChosenParts, user: string): ApproveCall | undefined {
  if (handsFree.next()?.user === user) return { user, deny: handsFree.take()?.decision === "deny" };
  return handsFree.signsInByHint() ? { user } : undefined;
}

/** The request has expired, the user was faster on a page, or the lab was closed. */
function ignoreLate(cause: unknown): void {
  if (!(cause instanceof OAuthError || cause instanceof LabError)) throw cause;
}
