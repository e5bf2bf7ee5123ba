import {
  type EndpointSource,
  findEndpointUrl,
  requireEndpointUrl,
} from "../dialect/lab_endpoints.ts";
import type { FlowOptions, Parameter } from "./flow_options.ts";
import { flowParameters, type FlowSecrets } from "./flow_request.ts";

/** The placeholders of values that are new each time. */
const placeholders: FlowSecrets = {
  state: "(random)",
  nonce: "(random)",
  codeVerifier: "(random verifier)",
  codeChallenge: "(SHA-256 of a random verifier)",
  dpopThumbprint: "(thumbprint of the client's key)",
};

/** A message of a flow that was not started yet. */
export interface PreviewedMessage {
  title: string;
  /** The method and the URL; a signed object has none. */
  target?: string | undefined;
  parameters: readonly Parameter[];
}

/** Returns what a client sends until the browser is at the authorization endpoint. */
export function previewRequest(
  source: EndpointSource,
  options: FlowOptions,
  redirectUri: string,
): PreviewedMessage[] {
  const { usesJar, usesPar, clientId } = options;
  const plain = flowParameters(options, redirectUri, placeholders);
  const id: Parameter = ["client_id", clientId];
  const carried: readonly Parameter[] = usesJar ? [id, ["request", "(the signed JWT)"]] : plain;
  const sent: readonly Parameter[] = usesPar
    ? [id, ["request_uri", "(from the response)"]]
    : carried;
  const par = usesPar && findEndpointUrl(source, "pushed_authorization_request_endpoint");
  return [
    ...usesJar ? [{ title: "The client signs the request", parameters: plain }] : [],
    ...par ? [{ title: "The client pushes it", target: `POST ${par}`, parameters: carried }] : [],
    {
      title: "The browser goes to Hallpass",
      target: `GET ${requireEndpointUrl(source, "authorization_endpoint")}`,
      parameters: sent,
    },
  ];
}
