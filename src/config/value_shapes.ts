import type { JWK } from "jose";
import { parseAddress } from "../http/client_address.ts";
import { isResourceUri } from "../protocol/resource.ts";
import { isScopeToken } from "../protocol/scope.ts";
import { day, second } from "../util/duration.ts";
import { isWebUrl } from "../util/uri.ts";
import { anything, duration, listOf, mapOf, object, textWhere } from "./shape.ts";

export const uri = textWhere((value) =>
  isResourceUri(value) ? undefined : "must be an absolute URI without a fragment"
);
export const url = textWhere((value) =>
  isWebUrl(value) ? undefined : "must be a URL without a fragment"
);
export const scopeToken = textWhere((value) =>
  isScopeToken(value) ? undefined : "is not a scope token"
);
export const clientId = textWhere((value) =>
  /^[\x20-\x7e]{1,255}$/.test(value) ? undefined : "must be up to 255 printable ASCII characters"
);
export const acr = textWhere((value) =>
  /^[\x21-\x7e]+$/.test(value) ? undefined : "must be visible ASCII characters without spaces"
);
export const longSecret = textWhere((value) =>
  value.length >= 32
    ? undefined
    : "must have at least 32 characters; make one with: openssl rand -base64 32"
);
export const ipAddress = textWhere((value) =>
  parseAddress(value) ? undefined : "must be an IP address; ranges and names are not understood"
);
export const century = 36_500 * day;
export const lifetime = duration(1 * second, century);

export const keySet = object<{ keys: JWK[] }>({ keys: listOf(mapOf(anything)) });
