import type { AuthorizationRequest } from "./authorization_request.ts";

/** The grant of devices that have no browser, or no keyboard (RFC 8628, section 3.4). */
export const deviceCodeGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** What a device asks a person for. No redirect URI takes the answer: the device comes and asks for it. */
export interface DeviceRequest extends Omit<AuthorizationRequest, "replyTo" | "codeChallenge" | "dpopJkt" | "nonce"> {
  replyTo?: undefined;
  device: Device;
}

/** A device that waits for its person. */
export interface Device {
  /** The name under which the answer is left for it. It is no secret. */
  id: string;
  /** Until when it waits, in milliseconds. */
  expiresAt: number;
}

/** What a person is asked for, by whichever way the answer goes back. */
export type Asked = AuthorizationRequest | DeviceRequest;
