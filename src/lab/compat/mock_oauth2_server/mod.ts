/**
 * The interface of navikt's mock-oauth2-server, version 6, on top of a lab: `/{issuer}/…` on first
 * touch, `enqueueCallback`, `issueToken` and `takeRequest`. `hallpass lab --compat
 * mock-oauth2-server` plays the same for suites in other languages.
 *
 * @example
 * ```ts ignore
 * import { MockOAuth2Server } from "@hallpass/hallpass/compat/mock-oauth2-server";
 *
 * const server = new MockOAuth2Server();
 * await server.start();
 * server.enqueueCallback({ issuerId: "default", subject: "foo" });
 * // Sign in with your application, whose issuer is server.issuerUrl("default").
 * await server.shutdown();
 * ```
 *
 * @module
 */

export { MockOAuth2Server } from "./mock_oauth2_server.ts";
export type { AnyTokenOptions } from "./mock_oauth2_server.ts";
export type {
  MockOAuth2Config,
  RequestMapping,
  RequestMappingCallback,
  TokenProviderConfig,
} from "./json_config.ts";
export type { EnqueuedCallback } from "./token_callback.ts";
