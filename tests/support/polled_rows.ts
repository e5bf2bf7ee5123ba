import {
  add as addClient,
  disable as disableClient,
  enable as enableClient,
} from "../../src/administration/clients.ts";
import type { ClientConfig } from "../../src/server/features.ts";
import { markSessionEnded } from "../../src/server/issuer/sessions/sessions.ts";
import type { UserActions } from "./browser.ts";
import type { Fields, Kit, ReadResponse, RequestHeaders } from "./kit.ts";
import { type Play, type PlayedRow, post, type Refusals, toRows } from "./refusals.ts";

/** A request with whose credential its client polls until a user has decided. */
interface PolledRequest {
  poll(changes?: Fields, headers?: RequestHeaders): Promise<ReadResponse>;
  answer(actions?: UserActions): Promise<unknown>;
}

/** A kind of such requests. */
interface PolledKind {
  parameter: "auth_req_id" | "device_code";
  /** What each title begins with. */
  ids: string;
  /** In seconds. */
  lifetime: number;
  begin(kit: Kit): Promise<PolledRequest>;
  /** Polls as another one of these clients. */
  asOther: { clients: ClientConfig[]; fields?: Fields; headers?: RequestHeaders };
  /** A client to be stored, which begins a request. */
  stored: { client: ClientConfig; begin(kit: Kit): Promise<PolledRequest> };
}

type Step = "poll" | "allow" | "deny" | "expire" | "signOut";

/** The rules that steps break, of which the last one is refused. */
const cases: Readonly<Record<string, [rule: string, ...steps: Step[]]>> = {
  "its time is over for long": ["fresh", "expire", "expire", "poll"],
  "its time is over": ["in_time", "expire", "poll"],
  "its time was over before it was fetched": ["in_time", "allow", "expire", "poll"],
  "a poll that comes too early": ["interval", "poll", "poll"],
  "the user has done nothing": ["decided", "poll"],
  "the user denied the request": ["allowed", "deny", "poll"],
  "the user was signed out meanwhile": ["active", "allow", "signOut", "poll"],
  "a second use": ["unused", "allow", "poll", "poll"],
};

/** Returns the polls that are refused. */
export function polledRows({ parameter, ids, ...kind }: PolledKind): Refusals {
  const { clients, fields: asOther = {}, headers } = kind.asOther;
  const secretInUri = post(`/oauth2/token?${parameter}=x`, {});
  const named = Object.fromEntries(
    Object.entries(cases).map(([title, each]) => [ids + title, each]),
  );
  return {
    [`${ids}no ${parameter}`]: [`${parameter}.present`, wrongly({ [parameter]: undefined })],
    [`${ids}the ${parameter} in the URI`]: ["request.no_secret_in_uri", secretInUri],
    [`${ids}an unknown ${parameter}`]: [`${parameter}.known`, wrongly({ [parameter]: "x" })],
    [`${ids}the ${parameter} of another client`]: [`${parameter}.client`, {
      settings: { clients },
      play: wrongly(asOther, headers),
    }],
    [`${ids}a client that was disabled meanwhile`]: [`${parameter}.same_client`, async (kit) => {
      const { client, begin } = kind.stored;
      const { context } = kit.server;
      await addClient(context, client);
      const { poll } = await begin(kit);
      await disableClient(context, client.id);
      await enableClient(context, client.id);
      await poll();
    }],
    ...toRows(named, ([rule, ...steps]) => [`${parameter}.${rule}`, async (kit) => {
      const request = await kind.begin(kit);
      for (const step of steps) await act(kit, request, step);
    }]),
  };

  /** Polls for what the user allowed, which spends nothing. */
  function wrongly(changes: Fields, headers?: RequestHeaders): Play {
    return async (kit) => {
      const { answer, poll } = await kind.begin(kit);
      await answer();
      await poll(changes, headers);
      return () => poll();
    };
  }

  async function act(kit: Kit, { poll, answer }: PolledRequest, step: Step): Promise<unknown> {
    const { clock, server: { context } } = kit;
    if (step === "poll") return await poll();
    if (step === "expire") return clock.advance(kind.lifetime);
    if (step !== "signOut") return await answer({ decision: step });
    const sessions = await context.records.sessions.list();
    return await Promise.all(sessions.map(([, session]) => markSessionEnded(context, session)));
  }
}

/** Returns the first request that breaks each rule, of those that are meant. */
export function firstOfEach(refusals: Refusals, rules: RegExp): Record<string, PlayedRow> {
  const rows = Object.values(refusals).filter(([rule]) => rules.test(rule));
  return Object.fromEntries(rows.toReversed().map(([rule, row]) => [rule, row]));
}
