import type { ClientConfig } from "../../../server/features.ts";
import { randomSecret } from "../../../server/issuer/random.ts";
import { type ClockCall, labTime, moveClock } from "../../control/clock_operations.ts";
import { bodySchemas } from "../../control/lab_schemas.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { MintOptions } from "../../tokens/mint_options.ts";
import type { AgentClient } from "./agent_results.ts";
import type { AgentResult, AgentTool } from "./agent_tool.ts";
import { callSchemas, type RegisterClientCall, type SignInAsCall } from "./calls.ts";

/** The tools that change the lab, or make something there. */
export const labTools: readonly AgentTool[] = [
  {
    name: "register_client",
    title: "Register a client",
    description: "Registers the application as a client, or changes the redirect URIs of a known " +
      "one and nothing else, and returns client_id and secret. Use it before connect_app if the " +
      "application has its own redirect URI, or after a refusal because of an unknown client or " +
      "redirect_uri.",
    body: { name: "RegisterClientCall", schema: callSchemas.RegisterClientCall },
    returns: "AgentClient",
    keepsLongValues: true,
    run: (lab, args) => registerClient(lab, args as unknown as RegisterClientCall),
  },
  {
    name: "sign_in_as",
    title: "Sign a user in without pages",
    description: "From now on, each authorization request signs this user in at once, without a " +
      "page or a browser; without a user, the sign-in page comes back. Use it before the " +
      "application starts a login. decision: deny plays a user who refuses.",
    body: { name: "SignInAsCall", schema: callSchemas.SignInAsCall },
    returns: "HandsFreeState",
    run: (lab, args) => signInAs(lab, args as SignInAsCall),
  },
  {
    name: "mint_token",
    title: "Mint a token",
    description: "Issues tokens without a login, to call an API with: for a user and scope, " +
      "expired (expiresIn: -1h), with other claims, or for another audience.",
    body: { name: "MintOptions" },
    returns: "MintedTokens",
    keepsLongValues: true,
    async run(lab, args) {
      const minted = await lab.mint(args as unknown as MintOptions);
      return { rows: [JSON.stringify(minted, undefined, 1)], value: minted };
    },
  },
  {
    name: "clock",
    title: "Move the clock",
    description: "Returns the time of the lab, or moves it: advance 1h lets codes, tokens and " +
      "sessions expire without waiting. The application keeps its own time: after a move, it may " +
      "refuse a new login, until reset.",
    body: { name: "ClockCall", schema: bodySchemas.ClockCall },
    returns: "LabTime",
    run(lab, args) {
      const value = Object.keys(args).length === 0
        ? labTime(lab)
        : moveClock(lab, args as ClockCall);
      const frozen = value.frozen ? ", and the clock stands still" : "";
      return { rows: [`It is ${value.now}${frozen}.`], value };
    },
  },
  {
    name: "reset",
    title: "Reset the lab",
    description: "Returns everything but the signing keys to how it was at the start: clients, " +
      "users, clock, faults, sessions, records. Use it between two experiments.",
    returns: "LabTime",
    async run(lab) {
      await lab.reset();
      const text =
        `The lab at ${lab.issuer} is as it was at its start. report still has what was ` +
        "found, as found before a reset.";
      return { rows: [text], value: labTime(lab) };
    },
  },
];

/** What each kind of application is as a client, apart from its secret. */
const kinds: Readonly<Record<string, Partial<ClientConfig>>> = {
  web: {},
  browser: {},
  native: { native: true },
  machine: { grantTypes: ["client_credentials"] },
};

function registerClient(lab: CoreLab, call: RegisterClientCall): AgentResult {
  const { id, kind, redirectUris } = call;
  const known = lab.clients.list().find((each) => each.id === id);
  const client = known && kind === undefined ? known : newClient(lab, known, call);
  lab.clients.put({ ...client, ...redirectUris && { redirectUris } });
  const value: AgentClient = {
    issuer: lab.issuer,
    clientId: id,
    clientSecret: client.secret,
    redirectUris: [...redirectUris ?? client.redirectUris ?? []],
  };
  const rows = [
    known ? `Changed the client ${id}.` : `Registered the client ${id}.`,
    `issuer: ${lab.issuer}`,
    `client_id: ${id}`,
    client.secret === undefined ? "It has no secret." : `client_secret: ${client.secret}`,
    ...value.redirectUris.map((uri) => `redirect_uri: ${uri}`),
  ];
  return { rows, value };
}

/** Returns a client of a kind, with the redirect URIs and the secret that it had as another one. */
function newClient(
  lab: CoreLab,
  { redirectUris, secret = "" }: Partial<ClientConfig> = {},
  { id, kind = "web" }: RegisterClientCall,
): ClientConfig {
  const client = { id, ...redirectUris && { redirectUris }, ...kinds[kind] };
  const hasSecret = kind === "web" || kind === "machine";
  return hasSecret ? { ...client, secret: secret || randomSecret(lab.context) } : client;
}

function signInAs(lab: CoreLab, { user, ...options }: SignInAsCall): AgentResult {
  if (user === undefined) lab.signIn(false);
  else lab.signIn(user, options);
  const value = lab.handsFreeState;
  const verb = value.decision === "deny" ? "denies" : "allows";
  const text = value.user === null
    ? "Users see the sign-in page."
    : `Each authorization request signs ${value.user} in, who ${verb} it. Start a login now.`;
  return { rows: [text], value };
}
