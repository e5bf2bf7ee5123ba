import type { AuthorizationRequest } from "./authorization_request.ts";
import type { DeviceRequest } from "./device_request.ts";

/** A request to a person, of either kind: its answer goes to a redirect URI, or waits for a device. */
export type Asked = AuthorizationRequest | DeviceRequest;
