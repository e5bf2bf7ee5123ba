/**
 * The interface of the npm package `oauth2-mock-server`, version 9, on top of a lab: a suite
 * changes one import. `server.lab` then has the faults, the clock, the report and the drill.
 *
 * @example
 * ```ts ignore
 * import { Events, OAuth2Server } from "@hallpass/hallpass/compat/oauth2-mock-server";
 *
 * const server = new OAuth2Server();
 * await server.issuer.keys.generate("RS256");
 * await server.start(8080, "localhost");
 * server.service.once(Events.BeforeUserinfo, (response) => {
 *   response.statusCode = 401;
 * });
 * server.lab.clock.advance("1h");
 * await server.stop();
 * ```
 *
 * @module
 */

export { HttpServer } from "./http_server.ts";
export { JWKStore } from "./jwk_store.ts";
export type { GenerateOptions } from "./jwk_store.ts";
export { IssuerEmitter, OAuth2Issuer } from "./oauth2_issuer.ts";
export { OAuth2Server } from "./oauth2_server.ts";
export { OAuth2Service, ServiceEmitter } from "./oauth2_service.ts";
export { Events, supportedHttpMethods } from "./types.ts";
export type {
  AugmentedRequest,
  BoundAddress,
  HttpMethod,
  HttpServerOptions,
  IssuerEvents,
  JwtTransform,
  MockRouteHandler as RouteHandler,
  MockTokenRequest as TokenRequest,
  MutableHeader as Header,
  MutablePayload as Payload,
  MutableRedirectUri,
  MutableResponse,
  MutableToken,
  NodeListener,
  NodeMessage,
  NodeResponse,
  OAuth2Endpoints,
  OAuth2EndpointsInput,
  OAuth2Options,
  ScopesOrTransform,
  ServiceEvents,
  StatusCodeMutableResponse,
  StoredJwk as JWK,
  TokenBuildOptions,
  TokenRequestIncomingMessage,
} from "./types.ts";
export type { Emitter, Listeners } from "./emitter.ts";
