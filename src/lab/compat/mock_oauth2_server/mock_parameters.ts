import { basicPair } from "../../recording/credentials.ts";
import type { WireRequest } from "../../recording/exchange.ts";

/** The parameters of a token request, as callbacks see them. */
export interface MockParameters {
  form: URLSearchParams;
  /** The grant type; empty if the request has none. */
  grantType: string;
  /** The client that the request names: by Basic authentication, or in its form. */
  client: string | undefined;
}

/** Reads the parameters of a token request. */
export function readMockParameters({ form, headers, client }: WireRequest): MockParameters {
  return {
    form,
    grantType: form.get("grant_type") ?? "",
    client: basicPair(headers.authorization)?.id ?? form.get("client_id") ?? client,
  };
}
