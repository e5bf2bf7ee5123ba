import { authenticationOf } from "../../../server/config/make_client.ts";
import type { ScopePolicy } from "../../../server/config/policies.ts";
import type { ClientConfig } from "../../../server/features.ts";
import type { Context } from "../../../server/issuer/context.ts";
import { forever } from "../../../server/issuer/records/table.ts";
import type { AnswerForUser } from "../../../server/issuer/wrapper_answers.ts";
import { type Client, isPublic } from "../../../server/model/client.ts";
import type { InternalServer } from "../../../server/server.ts";
import { roleProblem } from "../../client_role/role_request.ts";
import { hasDemoKey } from "../../client_role/signed_proofs.ts";
import { demoPublicKey } from "../../demo/demo_keys.ts";
import type { DialectTranslator } from "../../dialect/create_dialect.ts";
import { dialectAddress } from "../../dialect/dialect_address.ts";
import { type EndpointSource, findEndpointUrl } from "../../dialect/lab_endpoints.ts";
import type { LabAccess } from "../../feature.ts";
import type { LabParts } from "../../handling/lab_parts.ts";
import { describeScopes } from "../../lab_server/lab_scopes.ts";
import type { ChangeConfig } from "../../lab_server/replaceable_server.ts";
import { amrOf } from "../../sign_in/one_click.ts";
import { LabError } from "../../util/lab_error.ts";

/** The parts of a lab that a dry run needs. */
export interface DryRunParts
  extends
    Pick<LabParts, "server" | "config" | "issuer" | "clock" | "seen">,
    Pick<LabAccess, "dryRunLayers"> {}

/** Who takes part in a dry run, and what is asked for. */
interface DryRunParties {
  clientId: string;
  /** The name of the user. */
  userName: string | undefined;
  requestedScope: readonly string[];
}

/** A server that behaves as that of the lab and changes nothing, and what it noted. */
export interface DryRun {
  server: InternalServer;
  /** What translates between clients and the server, if they do not speak the same. */
  dialect: DialectTranslator | undefined;
  /** The scopes that the policy of the configuration did not permit. */
  unpermitted: ReadonlySet<string>;
}

/**
 * Creates a server with the configuration of the lab and an overlay of its store. It signs the user
 * in without a page, lends the client credentials, and draws no bytes from the seed.
 */
export async function createDryRun(
  parts: DryRunParts,
  parties: DryRunParties,
): Promise<DryRun> {
  const unpermitted = new Set<string>();
  const change: ChangeConfig = (
    { randomBytes: _, scopes, clients, policies, ...config },
  ) => ({
    ...config,
    clients: clients.map((each) => each.id === parties.clientId ? withCredentials(each) : each),
    scopes: { ...addedScopes(parts, parties), ...scopes },
    policies: { ...policies, ...policies?.scope && { scope: watch(policies.scope, unpermitted) } },
    // Without a listener, the server notes no rules.
    onEvent: () => undefined,
    hints: true,
    dpopNonces: false,
  });
  const server = parts.server.copy(parts.server.at(), change, (answers) => ({
    ...answers,
    answerForUser: signInAs(parties.userName),
    unaskedSessions: undefined,
    // A client without a redirect URI is refused for what it may not do, and not for that.
    vouchForRedirect: () => true,
  }));
  return { server, dialect: await createDryRunDialect(parts), unpermitted };
}

/** Where the clients of a lab find endpoints: those of the provider, if the lab plays one. */
export function endpointsOf({ server, config }: DryRunParts): EndpointSource {
  return { context: server.current().context, settings: { config } };
}

/**
 * Checks that clients get tokens at all.
 *
 * @throws {LabError} The provider that the lab plays has no token endpoint.
 */
export function checkTokenEndpoint(parts: DryRunParts): void {
  if (findEndpointUrl(endpointsOf(parts), "token_endpoint") !== undefined) return;
  throw new LabError(
    "No client gets a token here: the provider that this lab plays has no token endpoint.",
  );
}

/**
 * Finds the configuration with which the lab acts as a client: that of the configuration, or of a
 * row, which then gets a key of the lab.
 */
export async function clientForDryRun(
  ctx: Context,
  client: Client,
  configured: readonly ClientConfig[],
): Promise<ClientConfig> {
  const known = configured.find(({ id }) => id === client.id);
  if (known) return withCredentials(known);
  const { id } = client;
  if (isPublic(client)) return { id, authentication: ["none"] };
  const authentication: ClientConfig["authentication"] = ["private_key_jwt"];
  const jwks = { keys: [demoPublicKey] };
  const { jwksUri: _uri, authenticationAlg: _auth, requestObjectAlg: _object, ...others } = client;
  await ctx.records.clients.put(id, { ...others, authentication, jwks } as Client, forever);
  return { id, authentication, jwks };
}

/** Where any scope may be named, the server learns a new one before it checks the request. */
function addedScopes({ server }: DryRunParts, { requestedScope }: DryRunParties) {
  return server.current().context.addsScope ? describeScopes(requestedScope) : {};
}

function signInAs(userName: string | undefined): AnswerForUser | undefined {
  if (userName === undefined) return undefined;
  return ({ acrValues: [acr] }) => ({ signIn: { userName, acr, amr: amrOf(acr) } });
}

/** Notes what a policy does not permit. */
function watch(policy: ScopePolicy, unpermitted: Set<string>): ScopePolicy {
  return async (user, client, scope, occasion) => {
    const permitted = await policy(user, client, scope, occasion);
    for (const token of scope) {
      if (!permitted.includes(token)) unpermitted.add(token);
    }
    return permitted;
  };
}

/**
 * Returns a client with which the lab can act in a dry run. A client whose key only its owner has
 * gets one of the lab; nothing that it may ask for depends on it.
 */
function withCredentials(client: ClientConfig): ClientConfig {
  const canAct = roleProblem(client) === undefined;
  const canSign = !client.requireSignedRequest || hasDemoKey(client);
  if (canAct && canSign) return client;
  const { jwksUri: _uri, authenticationAlg: _auth, requestObjectAlg: _object, ...others } = client;
  return {
    ...others,
    ...!canAct && { authentication: [methodFor(client)] },
    jwks: { keys: [...client.jwks?.keys ?? [], demoPublicKey] },
  };
}

function methodFor(client: ClientConfig): "client_secret_basic" | "private_key_jwt" {
  return authenticationOf(client).includes("client_secret_jwt")
    ? "client_secret_basic"
    : "private_key_jwt";
}

/**
 * Creates what translates between clients and the server of a dry run. The lab has its own: what
 * this one remembers ends with the dry run.
 */
async function createDryRunDialect(
  { issuer, clock, config: currentConfig, seen }: DryRunParts,
): Promise<DialectTranslator | undefined> {
  const config = currentConfig();
  const { dialect } = config;
  if (!dialect) return undefined;
  const { createDialect } = await import("../../dialect/create_dialect.ts");
  const address = dialectAddress(issuer, dialect, config);
  return createDialect(dialect, address, { now: clock.now, seen: new Map(seen) });
}
