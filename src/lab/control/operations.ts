import type { UserConfig } from "../../config/user_config.ts";
import { frameProps } from "../../endpoints/responses/page_response.ts";
import { wantsPage } from "../../http/accept.ts";
import { html } from "../../http/response.ts";
import type { ClientConfig } from "../../model/client_config.ts";
import { renderPage } from "../../pages/pages.ts";
import type { UserActions } from "../browser/headless_browser.ts";
import { readInstant, readSpan } from "../clock.ts";
import { catalogue } from "../faults/catalogue.ts";
import type { FaultOptions } from "../faults/fault.ts";
import type { Lab, TenantConfig } from "../lab.ts";
import { LabError, unknownName } from "../lab_error.ts";
import type { MintOptions } from "../mint.ts";
import { ReportPage } from "../report/report_page.tsx";
import { directoryOperations } from "./directory_operations.ts";
import { describeInterface } from "./openapi.ts";
import type { BodyMember, Operation, OperationCall } from "./operation.ts";
import { streamEvents } from "./stream_events.ts";

const text = (description: string): BodyMember => ({ type: "string", description });
const count = (description: string): BodyMember => ({ type: "number", description });
const duration = (description: string): BodyMember => ({ type: ["string", "number"], description });
const must = (member: BodyMember): BodyMember => ({ ...member, required: true });

const tenantMembers: Readonly<Record<string, BodyMember>> = {
  id: text("The name in its issuer. Default: the next number."),
  clients: { type: "array", description: "Its clients. Default: the demo ones." },
  users: { type: "array", description: "Its users. Default: the demo ones." },
  alg: text("Signs its tokens."),
  lifetimes: { type: "object", description: "How long things last." },
  scopes: {
    type: "object",
    description: "Every scope, with what it means to the person who is asked.",
  },
  anyClient: { type: "boolean", description: "Whether whatever names itself is a client." },
  signInByHint: {
    type: "boolean",
    description: "Whether a login_hint signs its user in without any page.",
  },
};

/** Everything that can be done with a lab from any language. */
export const operations: readonly Operation[] = [
  {
    method: "POST",
    path: "/tokens",
    summary: "Gives tokens without any flow.",
    body: {
      sub: must(text("A user, by name or by sub; or a confidential client, for itself.")),
      scope: text("Any scope, known or not. Default: the client's."),
      client: text("Default: the first client that people use."),
      audience: {
        type: ["string", "array"],
        description: "The resources that the access token is for.",
      },
      expiresIn: duration("From now on; with a minus, it has expired already: -1m."),
      claims: { type: "object", description: "More claims for the access token and the ID token." },
    },
    act: (lab, { body }) => lab.mint(body as unknown as MintOptions),
  },
  {
    method: "POST",
    path: "/authorize",
    summary: "Plays a person's part, from an authorization URL to the callback.",
    body: {
      url: must(text("The authorization URL that the client made.")),
      user: text("Who signs in."),
      password: text("Signs in by password. Default: with one click."),
      decision: text("allow or deny. Default: allow."),
    },
    act: (lab, { body: { url, ...person } }) =>
      lab.authorize(readText(url, "url"), person as UserActions),
  },
  {
    method: "POST",
    path: "/faults",
    summary: "Tells the server to misbehave.",
    body: {
      name: must(text("One of the catalogue.")),
      tenant: text("Only for this tenant of the lab."),
      client: text("Only for this client."),
      state: text("Only for the flow with this state."),
      loginHint: text("Only for the flow with this login_hint."),
      nth: count("Only the n-th time, counted from 1."),
      times: count("So many times at most."),
      delay: duration("How long it waits, where it waits; and how long Retry-After says."),
    },
    act: (lab, { body }) => lab.faults.add(body as unknown as FaultOptions),
  },
  {
    method: "GET",
    path: "/faults",
    summary: "The faults that stand, and how often each fired.",
    act: (lab) => lab.faults.list(),
  },
  {
    method: "DELETE",
    path: "/faults",
    summary: "Takes all faults back.",
    act: (lab) => lab.faults.clear(),
  },
  {
    method: "GET",
    path: "/faults/catalogue",
    summary: "Every fault that there is.",
    act: () => [...catalogue].map(([name, { summary }]) => ({ name, what: summary })),
  },
  {
    method: "GET",
    path: "/faults/:id",
    summary: "One fault, and how often it fired.",
    act: (lab, { segment }) => findFault(lab, segment),
  },
  {
    method: "DELETE",
    path: "/faults/:id",
    summary: "Takes one fault back.",
    act: (lab, { segment }) => lab.faults.remove(segment),
  },
  { method: "GET", path: "/clock", summary: "What time it is.", act: clockOf },
  {
    method: "POST",
    path: "/clock",
    summary: "Moves the time, or stops it.",
    body: {
      set: {
        type: ["string", "number"],
        description: "An instant: milliseconds, or a text such as 2030-01-01T00:00:00Z.",
      },
      advance: duration("Forward; back with a minus: -5m."),
      freeze: { type: "boolean", description: "Whether it stands still." },
    },
    act: moveClock,
  },
  {
    method: "GET",
    path: "/requests",
    summary: "What went over the wire, the newest last.",
    query: {
      path: "Only to this path below the issuer: /oauth2/token.",
      method: "Only with this method.",
      client: "Only of this client.",
      status: "Only with this status.",
      wait: "Waits so long for one where there is none: 5s.",
      secrets: "true shows secrets as they came.",
    },
    act: listRequests,
  },
  {
    method: "DELETE",
    path: "/requests",
    summary: "Forgets what went over the wire.",
    act: (lab) => lab.clearRequests(),
  },
  {
    method: "GET",
    path: "/flows",
    summary: "What went over the wire, flow by flow.",
    act: (lab) => lab.flows(),
  },
  {
    method: "GET",
    path: "/report",
    summary: "What the client under test did wrong; as a page, where one is asked for.",
    act: report,
  },
  {
    method: "GET",
    path: "/events",
    summary: "Everything that happens from now on, as server-sent events.",
    act: (lab) => streamEvents(lab),
  },
  {
    method: "POST",
    path: "/reset",
    summary: "Everything as it was at the start, but for the signing keys.",
    act: (lab) => lab.reset(),
  },
  {
    method: "POST",
    path: "/tenants",
    summary: "Opens another issuer in the same process.",
    body: tenantMembers,
    act: openTenant,
  },
  {
    method: "GET",
    path: "/tenants",
    summary: "The tenants that there are.",
    act: (lab) => lab.tenants.ids().map((id) => tenantOf(lab, id)),
  },
  {
    method: "DELETE",
    path: "/tenants/:id",
    summary: "Closes a tenant.",
    act: (lab, { segment }) => lab.tenants.close(segment),
  },
  ...directoryOperations(
    "user",
    ":name",
    (lab) => lab.users,
    (body, name) => ({ ...body, name }) as UserConfig,
    {
      summary: "Adds a user, or replaces one.",
      body: {
        sub: text("The sub that clients see. Default: the name."),
        password: text("Default: none; one click signs in."),
        claims: { type: "object", description: "What is told about the user." },
        disabled: {
          type: "boolean",
          description: "Whether the user cannot sign in, and has no tokens that stand.",
        },
      },
    },
  ),
  ...directoryOperations(
    "client",
    ":id",
    (lab) => lab.clients,
    (body, id) => ({ ...body, id }) as ClientConfig,
    {
      summary: "Adds a client, or replaces one; with the members of a configuration.",
      body: {
        name: text("What people see."),
        secret: text("Makes the client confidential."),
        redirectUris: { type: "array", description: "Where answers may go." },
        grantTypes: { type: "array", description: "The grants that it may use." },
        scopes: { type: "array", description: "What it may ask for." },
      },
    },
  ),
  {
    method: "GET",
    path: "/openapi.json",
    summary: "This interface, described.",
    act: (lab) => describeInterface(lab.issuer, operations),
  },
];

function findFault(lab: Lab, id: string) {
  const fault = lab.faults.list().find((each) => each.id === id);
  if (!fault) throw unknownName("fault", id, lab.faults.list().map((each) => each.id));
  return fault;
}

function clockOf({ clock }: Lab) {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.frozen };
}

function moveClock(lab: Lab, { body: { set, advance, freeze } }: OperationCall) {
  if (set === undefined && advance === undefined && freeze === undefined) {
    throw new LabError("Say one of: set, advance, freeze.");
  }
  if (freeze !== undefined && typeof freeze !== "boolean") {
    throw new LabError("The 'freeze' is true or false.");
  }
  // All of it is read before any of it is done.
  const from = set === undefined ? lab.clock.now() : readInstant(set);
  const span = advance === undefined ? 0 : readSpan(advance);
  lab.clock.set(from + span);
  if (freeze === true) lab.clock.freeze();
  if (freeze === false) lab.clock.run();
  return clockOf(lab);
}

async function listRequests(lab: Lab, { query }: OperationCall) {
  const value = (name: string) => query.get(name) || undefined;
  const status = value("status") === undefined ? undefined : Number(value("status"));
  if (Number.isNaN(status)) throw new LabError("The 'status' is a number.");
  const wish = {
    path: value("path"),
    method: value("method"),
    client: value("client"),
    status,
    secrets: value("secrets") === "true",
  };
  const patience = value("wait") === undefined ? 0 : readSpan(value("wait"));
  if (patience > 0 && lab.requests(wish).length === 0) await lab.nextRequest(wish, patience);
  return lab.requests(wish);
}

function report(lab: Lab, { request }: OperationCall) {
  return wantsPage(request)
    ? html(
      renderPage(
        ReportPage({ ...frameProps(lab.context), issuer: lab.issuer, report: lab.report() }),
      ),
    )
    : lab.report();
}

/** What is no plain data, a configuration in TypeScript can have and this one cannot. */
async function openTenant(lab: Lab, { body }: OperationCall) {
  const stranger = Object.keys(body).find((name) => !Object.hasOwn(tenantMembers, name));
  if (stranger) throw unknownName("member of a tenant", stranger, Object.keys(tenantMembers));
  const { issuer } = await lab.tenant(body as TenantConfig);
  return { id: issuer.slice(issuer.lastIndexOf("/") + 1), issuer };
}

function tenantOf(lab: Lab, id: string) {
  return { id, issuer: lab.tenants.find(id).issuer };
}

function readText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw new LabError(`The '${name}' is missing, or no text.`);
}
