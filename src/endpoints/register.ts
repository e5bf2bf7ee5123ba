import { readJson } from "../http/body.ts";
import { json } from "../http/response.ts";
import { registerClient } from "../issuer/clients/registration.ts";
import { checkInitialAccess } from "../issuer/clients/registration_access.ts";
import type { Context } from "../issuer/context.ts";
import { countRegistration, describeRegistration } from "./registration.ts";

/** A client makes itself known (RFC 7591, section 3). */
export async function register(ctx: Context, request: Request): Promise<Response> {
  const initialAccess = await checkInitialAccess(ctx, request);
  countRegistration(ctx, request);
  const registered = await registerClient(ctx, request, {
    metadata: await readJson(request),
    initialAccess,
  });
  return json(describeRegistration(ctx, registered), 201);
}
