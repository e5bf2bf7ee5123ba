import type { Context } from "../../../server/issuer/context.ts";
import { listUsers } from "../../../server/issuer/directory/directory_entries.ts";
import type { User } from "../../../server/model/user.ts";
import { basePath, pathWithinIssuer } from "../../../server/protocol/issuer_url.ts";
import { findEndpointUrl, listEndpoints } from "../../dialect/lab_endpoints.ts";
import { checkBody } from "../../lab_server/changeable_settings.ts";
import { splitScope } from "../../tokens/mint_options.ts";
import { findSubject, requireMintClient } from "../../tokens/mint_parties.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";
import { type EvaluatedGrant, type EvaluateOptions, evaluateSchemas } from "./config.ts";
import { describeFlow } from "./describe_flow.ts";
import { checkTokenEndpoint, clientForDryRun, createDryRun, type DryRunParts } from "./dry_run.ts";
import { dryRunFlow } from "./dry_run_flow.ts";
import type { EvaluatedRefusal, Evaluation } from "./evaluation.ts";

/**
 * Returns what a client would get, and why: the server of the lab plays the flow in an overlay of
 * its store. Policies and hooks of the test run; faults do not.
 */
export async function evaluateWith(
  parts: DryRunParts,
  options: EvaluateOptions,
): Promise<Evaluation> {
  checkBody(evaluateSchemas.EvaluateOptions, { ...options });
  await parts.server.settled();
  checkTokenEndpoint(parts);
  const ctx = parts.server.current().context;
  const client = await requireMintClient(ctx, options.client, undefined);
  const user = await findEvaluatedUser(ctx, options.user);
  const grant = options.grant ?? (user ? "authorization_code" : "client_credentials");
  checkParties(grant, user);
  const requestedScope = options.scope === undefined
    ? client.defaultScope
    : splitScope(options.scope);
  const dryRun = await createDryRun(parts, {
    clientId: client.id,
    userName: user?.name,
    requestedScope,
  });
  const { context } = dryRun.server;
  const known = await requireMintClient(context, client.id, undefined);
  const config = await clientForDryRun(context, known, parts.server.clients.list());
  const plan = { dryRun, client: { known, config }, grant, options };
  const refusal = user?.disabled ? disabledRefusal(user) : undefined;
  const flow = refusal ? { refusal } : await dryRunFlow(plan);
  const evaluation = await describeFlow(parts, plan, { flow, user, requestedScope });
  await dryRun.server.close();
  return evaluation.refusal
    ? { ...evaluation, refusal: atClientPath(parts, evaluation.refusal) }
    : evaluation;
}

async function findEvaluatedUser(
  ctx: Context,
  name: string | undefined,
): Promise<User | undefined> {
  if (name === undefined) return undefined;
  const user = await findSubject(ctx, name) ??
    (await listUsers(ctx)).map(({ value }) => value).find((each) => each.name === name);
  if (user) return user;
  throw unknownName("user", name, (await listUsers(ctx)).map(({ value }) => value.name));
}

function checkParties(grant: EvaluatedGrant, user: User | undefined): void {
  const isForClient = grant === "client_credentials";
  if (isForClient && user) {
    throw new LabError("With 'client_credentials', the client acts for itself: leave 'user' out.");
  }
  if (!isForClient && !user) throw new LabError(`'${grant}' needs a 'user'.`);
}

/** The server does not say so to anyone: the sign-in page only asks again. */
function disabledRefusal({ name }: User): EvaluatedRefusal {
  return {
    at: "the sign-in page",
    error: "access_denied",
    description: `The user '${name}' is disabled, and cannot sign in.`,
    fix: "Enable the user, or choose another one.",
  };
}

/** Returns a refusal at the path that clients use: a dry run sends its requests to the server. */
function atClientPath(
  { server, config }: DryRunParts,
  refusal: EvaluatedRefusal,
): EvaluatedRefusal {
  const { context } = server.current();
  const base = basePath(context.settings.issuer);
  const pathOf = (url: string) => {
    const { pathname } = new URL(url);
    return pathWithinIssuer(pathname, base) ?? pathname;
  };
  const [method, path] = refusal.at.split(" ");
  const own = listEndpoints({ context }).find(({ url }) => pathOf(url) === path);
  const url = own && findEndpointUrl({ context, settings: { config } }, own.name);
  return url === undefined ? refusal : { ...refusal, at: `${method} ${pathOf(url)}` };
}
