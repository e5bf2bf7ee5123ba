import type { Client } from "../model/client.ts";
import { readRequestedAcr } from "./acr.ts";
import type { FormParameters } from "./form_parameters.ts";
import type { InteractiveRequest } from "./interactive_request.ts";
import { readMaxAge } from "./max_age.ts";
import { errorFactory } from "./oauth_error.ts";
import { checkLengths } from "./parameter_lengths.ts";
import { readCodeChallenge } from "./pkce.ts";
import { type AccessRules, readAccessRights } from "./requested_access.ts";
import { scopeAt } from "./resource.ts";

const unauthorizedClient = errorFactory("unauthorized_client", "RFC 8628, section 3.1");

/** The grant of devices that have no browser, or no keyboard (RFC 8628, section 3.4). */
export const deviceCodeGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** What a device asks a person for. No redirect URI takes the answer: the device comes for it. */
export interface DeviceRequest extends InteractiveRequest {
  responseTarget?: undefined;
  device: Device;
}

/** A device that waits for its person. */
export interface Device {
  /** The name under which the answer is left for it. It is no secret. */
  id: string;
  /** Until when it waits, in milliseconds. */
  expiresAt: number;
}

/** Checks what a device asks for (RFC 8628, section 3.1). */
export function readDeviceRequest(
  parameters: FormParameters,
  client: Client,
  rules: AccessRules,
): Omit<DeviceRequest, "device"> {
  if (!client.grantTypes.includes(deviceCodeGrant)) {
    throw unauthorizedClient("This client may not use the device grant.");
  }
  checkLengths(parameters);
  const access = readAccessRights(parameters, client, rules);
  if (access.resources.length > 0) scopeAt(access.resources, access.scope, rules.resources);
  return {
    clientId: client.id,
    codeChallenge: readCodeChallenge(parameters, false),
    ...access,
    // Whoever began this may sit somewhere else than its person, who is asked each time.
    prompt: ["consent"],
    maxAge: readMaxAge(parameters.get("max_age")) ?? client.defaultMaxAge,
    acr: readRequestedAcr(parameters.get("acr_values"), undefined, client),
  };
}
