import type { Client } from "../../model/client.ts";
import { referenceTo } from "../../model/client_identity.ts";
import {
  type AccessRules,
  readAccessRights,
  readRequestedAccess,
} from "../../protocol/access_request.ts";
import { readRequestedAcr } from "../../protocol/acr.ts";
import { checkParameterLengths, type FormParameters } from "../../protocol/form_parameters.ts";
import { deviceCodeGrantType } from "../../protocol/grant_types.ts";
import { readMaxAge } from "../../protocol/interactive_request.ts";
import type { PolledRequest } from "../../protocol/pending_request.ts";
import { readCodeChallenge } from "../../protocol/pkce.ts";
import type { ApplyRule } from "../../protocol/rule.ts";
import { ruleSet } from "../../protocol/rule_set.ts";

/** A validated device authorization request. The device polls for its response. */
export interface DeviceRequest extends PolledRequest {
  device: Device;
}

export function isDeviceRequest(pending: PolledRequest): pending is DeviceRequest {
  return "device" in pending;
}

/** A device that waits for its user. */
export interface Device {
  /** The id under which the response is stored. It is not a secret. */
  id: string;
  /** When the device gives up, in milliseconds. */
  expiresAt: number;
}

const about = {
  see: "RFC 8628, section 3.1",
  parameter: "client_id",
  error: "unauthorized_client",
} as const;

const deviceRules = ruleSet("device", about, {
  allowed: {
    must: "The client must be allowed to use the device authorization grant",
    fix: `Add the grant '${deviceCodeGrantType}' to the client.`,
    holds: ({ grantTypes }: Pick<Client, "grantTypes">) => grantTypes.includes(deviceCodeGrantType),
    expected: ({ grantTypes }) => grantTypes.join(" or ") || "no grant",
  },
});

/** Reads a device authorization request (RFC 8628, section 3.1). */
export function readDeviceRequest(
  apply: ApplyRule,
  parameters: FormParameters,
  client: Client,
  rules: AccessRules,
): Omit<DeviceRequest, "device"> {
  apply(deviceRules.allowed, client);
  checkParameterLengths(apply, parameters);
  const access = readAccessRights(apply, readRequestedAccess(parameters, rules), client, rules);
  return {
    clientId: client.id,
    requestedBy: referenceTo(client),
    codeChallenge: readCodeChallenge(apply, parameters, false),
    ...access,
    // An attacker may have started the device flow elsewhere, so the user is always asked.
    prompt: ["consent"],
    maxAge: readMaxAge(apply, parameters.get("max_age")) ?? client.defaultMaxAge,
    acr: readRequestedAcr(parameters.get("acr_values"), undefined, client),
  };
}
