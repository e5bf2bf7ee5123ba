import type { DrillVariant } from "../../../../lab/features/drill/variants/variants.ts";
import { findFault } from "../../../../lab/features/faults/catalogue.ts";
import type { Fault } from "../../../../lab/features/faults/fault.ts";
import { canForge } from "../../../../lab/features/faults/jwt_forgery.ts";
import type { HandledRequest } from "../../../../lab/layers/pending_exchange.ts";
import type { LabProbe } from "../../../../lab/layers/probe.ts";
import type { DecodedJwt } from "../../../../lab/recording/credentials.ts";
import type { Exchange, WireRequest } from "../../../../lab/recording/exchange.ts";
import { callbackIn } from "../../../../lab/recording/wire_callback.ts";
import { vetVariants } from "./vet_variants.ts";

/** What a suite sent to the lab in one run, as far as it shows how its client went on. */
export interface Traffic {
  /** How many requests there were. */
  requests: number;
  /** How often each step of a login was taken: `{ "token authorization_code": 2 }`. */
  steps: Record<string, number>;
  /** The faults that can change a response of the run. */
  changeable: Set<string>;
  /** The requests that show what a client made of a variant. */
  revealing: WireRequest[];
  /** The statuses with which the application responded to logout tokens. */
  logoutStatuses: number[];
}

/** The endpoints that a client uses only if it trusts what it got before. */
const stepEndpoints: readonly unknown[] = [
  "token",
  "userinfo",
  "introspect",
  "revoke",
  "register",
  "par",
  "deviceAuthorization",
  "backchannelAuthentication",
  "logout",
];

/** A message that the MCP server accepted. */
export const mcpStep = "mcp";

/** Watches a run under a variant. Without one, it finds out which variants the run could meet. */
export function watchRun(variant: DrillVariant | undefined) {
  const traffic: Traffic = {
    requests: 0,
    steps: {},
    changeable: new Set(),
    revealing: [],
    logoutStatuses: [],
  };
  const fault = variant && standingFault(variant.fault);
  return {
    probe: {
      faults: fault ? [fault] : [],
      async observe(exchange, answered) {
        note(traffic, exchange, answered);
        if (!fault) await noteChangeable(traffic.changeable, exchange, answered);
      },
      observeLogoutToken(token, status) {
        if (status !== undefined) traffic.logoutStatuses.push(status);
        if (!fault) noteForgeable(traffic.changeable, token);
      },
    } satisfies LabProbe,
    traffic,
    /** Returns how often the fault has fired. */
    fired: () => fault?.fired ?? 0,
  };
}

function standingFault(name: string): Fault {
  return { id: "vet", name, met: 0, fired: 0, mayStayIdle: true };
}

function note(traffic: Traffic, exchange: Exchange, { server }: HandledRequest): void {
  traffic.requests++;
  const { endpoint, form } = exchange.request;
  const isRevealing = revealingEndpoints.includes(endpoint) || form.has("client_assertion");
  if (isRevealing) traffic.revealing.push(exchange.request);
  const step = stepOf(exchange, server.issuer);
  if (step !== undefined) traffic.steps[step] = (traffic.steps[step] ?? 0) + 1;
}

const revealingEndpoints: readonly unknown[] = ["jwks", "authorize", "par", "userinfo"];

/** Returns what a client achieved with a request, or undefined if that is nothing. */
function stepOf({ request, response, isMcp }: Exchange, issuer: string): string | undefined {
  const { endpoint, form } = request;
  if (!response || response.status >= 400) return undefined;
  if (isMcp && request.method === "POST") return mcpStep;
  if (endpoint === "token") return `token ${form.get("grant_type")}`;
  if (stepEndpoints.includes(endpoint)) return endpoint;
  return callbackIn(response, issuer) && "authorization response";
}

/** Notes the faults of the variants that could have changed a response. */
async function noteChangeable(
  changeable: Set<string>,
  { request, response }: Exchange,
  answered: HandledRequest,
): Promise<void> {
  if (!response) return;
  const atOnce = () => Promise.resolve();
  const memory = {
    aliases: new Map(),
    memory: new Map(),
    held: new Map(),
    addedClaims: new Map(),
  };
  const context = { ...answered, ...memory, wait: atOnce, within: atOnce };
  for (const { fault: name } of vetVariants.filter(({ fault }) => !changeable.has(fault))) {
    const kind = findFault(name);
    if ("forgery" in kind || "ping" in kind || !kind.appliesTo(request)) continue;
    const fault = standingFault(name);
    if ("respond" in kind || await kind.canChange(response, { ...context, fault })) {
      changeable.add(name);
    }
  }
}

/** Notes the faults of the variants that could have changed a logout token. */
function noteForgeable(changeable: Set<string>, token: DecodedJwt): void {
  for (const { fault } of vetVariants) {
    const kind = findFault(fault);
    if ("forgery" in kind && canForge(token, kind.forgery)) changeable.add(fault);
  }
}
