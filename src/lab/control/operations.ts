import tenantSettings from "../../../static/tenant_settings.json" with { type: "json" };
import type { UserConfig } from "../../server/config/user_config.ts";
import type { ClientConfig } from "../../server/model/client_config.ts";
import type { UserActions } from "../browser/headless_browser.ts";
import { catalogue } from "../faults/catalogue.ts";
import type { FaultOptions } from "../faults/fault.ts";
import { places } from "../faults/places.ts";
import type { MintOptions } from "../tokens/mint_options.ts";
import { unknownName } from "../util/lab_error.ts";
import { directoryOperations } from "./directory_operations.ts";
import { showDrill, startDrill } from "./drill_operations.ts";
import { describeInterface } from "./openapi.ts";
import type { BodyMember, BodyMembers, Operation } from "./operation.ts";
import {
  addClaims,
  handsFreeState,
  listRequests,
  moveClock,
  openTenant,
  queueResponse,
  reportResponse,
  setHandsFree,
  tenantOf,
  timeOf,
} from "./run_operation.ts";
import { streamEvents } from "./stream_events.ts";

const text = (description: string): BodyMember => ({ type: "string", description });
const count = (description: string): BodyMember => ({ type: "number", description });
const flag = (description: string): BodyMember => ({ type: "boolean", description });
const list = (description: string): BodyMember => ({ type: "array", description });
const object = (description: string): BodyMember => ({ type: "object", description });
const textOr = (type: string, description: string): BodyMember => ({
  type: ["string", type],
  description,
});
const required = (member: BodyMember): BodyMember => ({ ...member, required: true });

const jsonTypes = ["object", "array", "string", "number", "boolean", "null"];

/** The members that limit a fault, a queued response or a change to some requests. */
function scopeOf(what: string): BodyMembers {
  return {
    tenant: text(`Limits the ${what} to one tenant of the lab.`),
    client: text(`Limits the ${what} to one client.`),
    state: text(`Limits the ${what} to the flow with this state.`),
    loginHint: text(`Limits the ${what} to the flow with this login_hint.`),
    nth: count("Fires for the first time at the nth match, counted from 1."),
  };
}

/** What a tenant can be given in JSON. Functions of a configuration exist in TypeScript only. */
const tenantMembers: BodyMembers = {
  id: text("The name of the tenant in its issuer. Default: the next number."),
  redirectUris: list("Additional redirect URIs for the demo clients."),
  ...tenantSettings as BodyMembers,
};

const userMembers: BodyMembers = {
  sub: text("The sub that clients get. Default: the name."),
  password: text("The password. Default: none; one click signs in."),
  claims: object("Claims about the user."),
  disabled: flag("Whether the user cannot sign in and has no active tokens."),
};

const clientMembers: BodyMembers = {
  name: text("The name that users see. Default: the id."),
  secret: text("The secret, which makes the client confidential."),
  redirectUris: list("Where authorization responses may go."),
  grantTypes: list("The grants that the client may use."),
  scopes: list("The scopes that the client may ask for."),
};

/** Everything that can be done with a lab from any language. */
export const operations: readonly Operation[] = [
  {
    method: "POST",
    path: "/tokens",
    summary: "Issues tokens without a flow.",
    body: {
      sub: required(
        text("The name or sub of a user, the id of a client for its own token, or any subject."),
      ),
      scope: text("The scope. Default: the default scope of the client."),
      client: text("The id of the client. Default: the first client that users sign in to."),
      kind: text("Which token to return as 'token': access, id, refresh or logout."),
      audience: textOr("array", "The audience: URIs or names, known to the server or not."),
      expiresIn: textOr("number", "The lifetime; with a minus sign, it has already expired: -1m."),
      claims: object("Additional claims for the access token and the ID token."),
      header: object("Members for the header of the JWT; null removes one."),
      omit: list("The names of claims to leave out."),
      secret: text("A secret that signs the JWT with HS256. Default: a key of the server signs."),
    },
    // `mint` checks the members, as it does for tests in JavaScript.
    run: (lab, { body }) => lab.mint(body as unknown as MintOptions),
  },
  {
    method: "POST",
    path: "/authorize",
    summary: "Plays a user's part, from an authorization URL to the callback.",
    body: {
      url: required(text("The authorization URL that the client created.")),
      user: text("The name of the user who signs in."),
      password: text("The password to sign in with. Default: one click signs in."),
      decision: text("allow or deny. Default: allow."),
    },
    run: (lab, { body: { url, ...actions } }) =>
      lab.authorize(url as string, actions as UserActions),
  },
  {
    method: "GET",
    path: "/sign-in",
    summary: "Returns the user who signs in hands-free, without a page; null if it is off.",
    run: handsFreeState,
  },
  {
    method: "POST",
    path: "/sign-in",
    summary: "Signs a user in hands-free, without a page, from the next authorization request on.",
    body: {
      user: required(text("The name of the user.")),
      times: count("For how many requests. Default: until it is changed."),
    },
    run: setHandsFree,
  },
  {
    method: "DELETE",
    path: "/sign-in",
    summary: "Brings the sign-in page back.",
    run(lab) {
      lab.signIn(false);
      return handsFreeState(lab);
    },
  },
  {
    method: "POST",
    path: "/answers",
    summary: "Queues a response, which the lab sends in place of the server's.",
    body: {
      at: {
        ...required(text(`The endpoint: ${Object.keys(places).join(", ")}.`)),
        choices: Object.keys(places),
      },
      status: count("The status. Default: 200."),
      headers: object("The headers."),
      body: { type: jsonTypes, description: "The body: text, or anything else as JSON." },
      times: count("How often it is sent. Default: once."),
      ...scopeOf("response"),
    },
    run: queueResponse,
  },
  {
    method: "POST",
    path: "/claims",
    summary: "Adds claims to access tokens and ID tokens, and to userinfo for these access tokens.",
    body: {
      claims: required(object("The claims, with their values.")),
      times: count("How many token responses have the claims. Default: all."),
      ...scopeOf("change"),
    },
    run: addClaims,
  },
  {
    method: "DELETE",
    path: "/claims",
    summary: "Removes the added claims from what is issued from now on.",
    run(lab) {
      for (const hook of lab.hooks.list()) if (hook.point === "claims") hook.remove();
    },
  },
  {
    method: "POST",
    path: "/faults",
    summary: "Makes the lab misbehave.",
    body: {
      name: {
        ...required(text("The name of a fault in the catalogue.")),
        choices: [...catalogue.keys()],
      },
      ...scopeOf("fault"),
      times: count("How often the fault fires. Default: once with nth, otherwise without a limit."),
      delay: textOr("number", "How long a slow fault waits, or the value of Retry-After."),
      status: count("The status, for faults such as token.response. Default: 200."),
      headers: object("The headers, for such a fault."),
      body: { type: jsonTypes, description: "The body, for such a fault: text or JSON." },
    },
    run: (lab, { body }) => lab.faults.add(body as unknown as FaultOptions),
  },
  {
    method: "GET",
    path: "/faults",
    summary: "Lists the faults that were added, and how often each one fired.",
    run: (lab) => lab.faults.list(),
  },
  {
    method: "DELETE",
    path: "/faults",
    summary: "Removes all faults.",
    run: (lab) => lab.faults.clear(),
  },
  {
    method: "GET",
    path: "/faults/catalogue",
    summary: "Lists every fault that can be added.",
    run: () => [...catalogue].map(([name, { summary }]) => ({ name, what: summary })),
  },
  {
    method: "GET",
    path: "/faults/:id",
    summary: "Returns one fault, and how often it fired.",
    run(lab, { segment: id }) {
      const faults = lab.faults.list();
      const fault = faults.find((each) => each.id === id);
      if (!fault) throw unknownName("fault", id, faults.map((each) => each.id));
      return fault;
    },
  },
  {
    method: "DELETE",
    path: "/faults/:id",
    summary: "Removes one fault.",
    run: (lab, { segment }) => lab.faults.remove(segment),
  },
  { method: "GET", path: "/clock", summary: "Returns the time of the lab.", run: timeOf },
  {
    method: "POST",
    path: "/clock",
    summary: "Moves, stops or starts the clock.",
    body: {
      set: textOr("number", "The time: milliseconds, or text such as 2030-01-01T00:00:00Z."),
      advance: textOr("number", "Moves the clock forward; with a minus sign, back: -5m."),
      freeze: flag("Whether the clock is stopped."),
    },
    run: moveClock,
  },
  {
    method: "GET",
    path: "/requests",
    summary: "Lists the recorded requests with their responses, the newest last.",
    query: {
      path: "Only requests with this path below the issuer: /oauth2/token.",
      method: "Only requests with this method.",
      client: "Only requests of this client.",
      status: "Only requests whose response has this status.",
      wait: "How long to wait for a request if there is none: 5s.",
      secrets: "true shows secrets.",
    },
    run: listRequests,
  },
  {
    method: "DELETE",
    path: "/requests",
    summary: "Deletes the recorded requests.",
    run: (lab) => lab.clearRequests(),
  },
  {
    method: "GET",
    path: "/flows",
    summary: "Lists what happened in each authorization.",
    run: (lab) => lab.flows(),
  },
  {
    method: "GET",
    path: "/report",
    summary: "Reports the rules that the clients broke.",
    query: {
      format: "json (the default), junit (JUnit XML) or sarif (SARIF 2.1.0).",
      refused: "true makes refused requests failures of the test cases in JUnit XML.",
    },
    run: reportResponse,
  },
  {
    method: "POST",
    path: "/drill",
    summary: "Runs the login of an application once under each hostile variant.",
    query: { format: "json (the default) or junit (JUnit XML)." },
    body: {
      start: required(text("The URL of your application that begins a login.")),
      check: text("A URL that only someone who is signed in can open. Default: the start URL."),
      user: text("The name of the user who signs in. Default: the first user."),
      password: text("The password to sign in with. Default: one click signs in."),
      only: list("The faults of the variants. Default: all."),
      wait: flag("Whether to respond when the drill has ended, not at its begin. Default: true."),
    },
    run: startDrill,
  },
  {
    method: "GET",
    path: "/drill",
    summary: "Returns how far the present drill is, or how the last one ended.",
    query: { format: "json (the default) or junit (JUnit XML)." },
    run: showDrill,
  },
  {
    method: "GET",
    path: "/events",
    summary: "Streams every event from now on, as server-sent events.",
    run: (lab) => streamEvents(lab),
  },
  {
    method: "POST",
    path: "/reset",
    summary: "Returns everything to how it was at the start, except the signing keys.",
    run: (lab) => lab.reset(),
  },
  {
    method: "POST",
    path: "/snapshots",
    summary: "Remembers users, clients, clock and everything stored.",
    run: async (lab) => ({ id: await lab.snapshot() }),
  },
  {
    method: "POST",
    path: "/snapshots/:id",
    summary: "Returns to a snapshot, and removes faults and records.",
    run: (lab, { segment }) => lab.restore(segment),
  },
  {
    method: "POST",
    path: "/tenants",
    summary: "Opens another issuer in the same process.",
    body: tenantMembers,
    run: (lab, { body }) => openTenant(lab, body, tenantMembers),
  },
  {
    method: "GET",
    path: "/tenants",
    summary: "Lists the tenants.",
    run: (lab) => lab.tenants.ids().map((id) => tenantOf(lab, id)),
  },
  {
    method: "DELETE",
    path: "/tenants/:id",
    summary: "Closes a tenant.",
    run: (lab, { segment }) => lab.tenants.close(segment),
  },
  ...directoryOperations<UserConfig>({
    what: "user",
    segment: ":name",
    directoryOf: (lab) => lab.users,
    toEntry: (body, name) => ({ ...body, name }),
    members: userMembers,
  }),
  ...directoryOperations<ClientConfig>({
    what: "client",
    segment: ":id",
    directoryOf: (lab) => lab.clients,
    toEntry: (body, id) => ({ ...body, id }),
    members: clientMembers,
  }),
  {
    method: "GET",
    path: "/openapi.json",
    summary: "Describes this interface in OpenAPI.",
    run: (lab) => describeInterface(lab.issuer, operations),
  },
];
