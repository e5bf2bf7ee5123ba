import { numericDate } from "../../../server/issuer/time.ts";
import { hour } from "../../../server/util/time/duration.ts";
import type { RecordedRequest } from "../../recording/recorded_request.ts";
import { openTestLab } from "../../testing/hallpass.ts";
import type { TestLab } from "../../testing/test_lab.ts";
import { LabError } from "../../util/lab_error.ts";
import { checkMockConfig, type MockOAuth2Config } from "./json_config.ts";
import { checkName } from "./mock_issuers.ts";
import { playMockOAuth2Server } from "./play_mock_oauth2_server.ts";
import type { EnqueuedCallback } from "./token_callback.ts";

/** The claims of a token for any issuer. */
export interface AnyTokenOptions {
  /** The `iss` of the token. */
  issuerUrl: string;
  /** The claims. */
  claims?: Record<string, unknown> | undefined;
  /** The lifetime in seconds; 3600 by default. */
  expiry?: number | undefined;
}

/**
 * A server that makes an issuer of each first path segment: `/default/token`. Its interface is that
 * of navikt's mock-oauth2-server, in the words of TypeScript, and `lab` has the faults, the clock,
 * the report and the drill of Hallpass.
 *
 * @example
 * ```ts ignore
 * import { MockOAuth2Server } from "@hallpass/hallpass/compat/mock-oauth2-server";
 *
 * const server = new MockOAuth2Server();
 * await server.start();
 * server.enqueueCallback({ subject: "foo", claims: { acr: "Level4" } });
 * const token = await server.issueToken({ subject: "foo", audience: "my-api" });
 * await server.shutdown();
 * ```
 */
export class MockOAuth2Server {
  /** Whether requests that break a rule are refused, as the lab alone would do. */
  strict = false;

  readonly #play: ReturnType<typeof playMockOAuth2Server>;
  #lab: TestLab | undefined;

  /** Creates a server that does not listen yet, with the settings of `JSON_CONFIG`. */
  constructor(config: MockOAuth2Config = {}) {
    checkMockConfig(config);
    this.#play = playMockOAuth2Server(config, {}, () => this.strict);
  }

  /** The lab behind the server. Throws a `LabError` unless the server was started. */
  get lab(): TestLab {
    if (this.#lab) return this.#lab;
    throw new LabError("The server is not started. Await 'start()' first.");
  }

  /** Listens on a port of this machine, by default on a free one; with `false`, on none. */
  async start(port: number | false = 0): Promise<void> {
    if (this.#lab) throw new LabError("The server is started already.");
    this.#lab = await openTestLab(
      { ...this.#play.complete({}), listen: port === false ? false : port || true },
      { standIn: this.#play.standIn },
    );
  }

  /** Stops listening, and closes the lab. */
  async shutdown(): Promise<void> {
    const lab = this.#lab;
    this.#lab = undefined;
    await lab?.close();
  }

  /** Returns the URL of an issuer, or of a path below it. */
  url(path = ""): string {
    return `${this.lab.issuer}/${path}`;
  }

  /** Returns the URL of an issuer. */
  issuerUrl(issuerId: string): string {
    return this.url(issuerId);
  }

  /** Returns the URL of the server. */
  baseUrl(): string {
    return this.url();
  }

  /** Returns the URL of the metadata of an issuer. */
  wellKnownUrl(issuerId: string): string {
    return this.url(`${issuerId}/.well-known/openid-configuration`);
  }

  /** Returns the URL of the metadata by RFC 8414. */
  oauth2AuthorizationServerMetadataUrl(issuerId: string): string {
    return this.url(`${issuerId}/.well-known/oauth-authorization-server`);
  }

  /** Returns the URL of the authorization endpoint. */
  authorizationEndpointUrl(issuerId: string): string {
    return this.url(`${issuerId}/authorize`);
  }

  /** Returns the URL of the token endpoint. */
  tokenEndpointUrl(issuerId: string): string {
    return this.url(`${issuerId}/token`);
  }

  /** Returns the URL of the key set. */
  jwksUrl(issuerId: string): string {
    return this.url(`${issuerId}/jwks`);
  }

  /** Returns the URL of the userinfo endpoint. */
  userInfoUrl(issuerId: string): string {
    return this.url(`${issuerId}/userinfo`);
  }

  /** Returns the URL of the introspection endpoint. */
  introspectUrl(issuerId: string): string {
    return this.url(`${issuerId}/introspect`);
  }

  /** Returns the URL of the revocation endpoint. */
  revocationEndpointUrl(issuerId: string): string {
    return this.url(`${issuerId}/revoke`);
  }

  /** Returns the URL of the endpoint that signs users out. */
  endSessionEndpointUrl(issuerId: string): string {
    return this.url(`${issuerId}/endsession`);
  }

  /** Decides what the next tokens of an issuer get. Those that wait are used in turn. */
  enqueueCallback(callback: EnqueuedCallback): void {
    checkName(callback.issuerId ?? "default");
    this.#play.state.enqueue(callback);
  }

  /** Signs a token, as the code grant would. */
  async issueToken(
    { issuerId = "default", subject, audience = "default", claims, expiry, typeHeader }:
      EnqueuedCallback = {},
  ): Promise<string> {
    this.#play.state.issuers.touch(issuerId);
    return await this.#sign(issuerId, this.issuerUrl(issuerId), {
      sub: subject ?? crypto.randomUUID(),
      aud: audience,
      tid: issuerId,
      ...claims,
    }, { expiry, typeHeader });
  }

  /** Signs a token for any issuer URL, with the key of the issuer `default`. */
  async anyToken({ issuerUrl, claims, expiry }: AnyTokenOptions): Promise<string> {
    return await this.#sign("default", issuerUrl, claims ?? {}, { expiry });
  }

  /** Returns the next request that no earlier call has returned; waits for two seconds. */
  async takeRequest(milliseconds = 2000): Promise<RecordedRequest> {
    return await this.lab.waitForRequest({}, { timeout: milliseconds / 1000 });
  }

  async #sign(
    kid: string,
    iss: string,
    { sub, aud, ...claims }: Record<string, unknown>,
    { expiry = hour, typeHeader = "JWT" }: Pick<EnqueuedCallback, "expiry" | "typeHeader">,
  ): Promise<string> {
    const audience = [aud].flat().filter((each): each is string => typeof each === "string");
    const iat = numericDate(this.lab.clock);
    const { token } = await this.lab.mint({
      bare: true,
      sub: String(sub ?? "anyone"),
      audience,
      expiresIn: expiry,
      header: { kid, typ: typeHeader },
      claims: { iss, nbf: iat, jti: crypto.randomUUID(), ...claims },
      omit: [...sub === undefined ? ["sub"] : [], ...audience.length === 0 ? ["aud"] : []],
    });
    return token;
  }
}
