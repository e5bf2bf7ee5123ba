import type { ClientConfig } from "../../server/features.ts";
import type { EndpointSource } from "../dialect/lab_endpoints.ts";
import type { FlowOptions } from "./flow_options.ts";
import { assertionType, roleProblem, type RoleRequest, roleRequest } from "./role_request.ts";

/** Returns the token request that will end a flow, with words in place of what is still to come. */
export async function previewTokenRequest(
  source: EndpointSource,
  client: ClientConfig,
  { usesDpop, mistakes }: FlowOptions,
  redirectUri: string,
): Promise<RoleRequest> {
  const members = {
    grant_type: "authorization_code",
    code: "CODE",
    redirect_uri: redirectUri,
    ...!mistakes.includes("pkce") && { code_verifier: "CODE_VERIFIER" },
    ...roleProblem(client) !== undefined && {
      client_assertion_type: assertionType,
      client_assertion: "CLIENT_ASSERTION",
    },
  };
  return await roleRequest(source, client, { endpoint: "token_endpoint", members, usesDpop });
}
