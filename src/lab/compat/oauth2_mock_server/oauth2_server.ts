import { readFileSync } from "node:fs";
import type { TestLab } from "../../testing/test_lab.ts";
import { HttpServer } from "./http_server.ts";
import { OAuth2Issuer } from "./oauth2_issuer.ts";
import { OAuth2Service } from "./oauth2_service.ts";
import type { HttpServerOptions, OAuth2Options } from "./types.ts";

/**
 * A server with an issuer and a service. Its interface is that of oauth2-mock-server, and `lab` has
 * the faults, the clock, the report and the drill of Hallpass.
 *
 * @example
 * ```ts ignore
 * import { OAuth2Server } from "@hallpass/hallpass/compat/oauth2-mock-server";
 *
 * const server = new OAuth2Server();
 * await server.issuer.keys.generate("RS256");
 * await server.start(8080);
 * server.lab.fault("userinfo.server_error", { times: 1 });
 * ```
 */
export class OAuth2Server extends HttpServer {
  readonly #service: OAuth2Service;

  /**
   * Creates a server that does not listen yet; with the files of a key and certificate, for TLS.
   */
  constructor(key?: string, cert?: string, options: OAuth2Options = {}) {
    const issuer = new OAuth2Issuer(options.shouldIssuerUrlBeSuffixedWithATralingSlash);
    const service = new OAuth2Service(issuer, options.endpoints);
    super(service.requestHandler, readFiles(key, cert));
    this.#service = service;
  }

  /** The issuer. */
  get issuer(): OAuth2Issuer {
    return this.#service.issuer;
  }

  /** The service, which emits the events. */
  get service(): OAuth2Service {
    return this.#service;
  }

  /** The lab behind the server. Throws an error before the first `start`. */
  get lab(): TestLab {
    return this.#service.lab;
  }

  /** Whether requests that break a rule are refused, as the lab alone would do. */
  get strict(): boolean {
    return this.#service.strict;
  }

  set strict(value: boolean) {
    this.#service.strict = value;
  }

  /** Listens on a port, and sets the issuer URL unless the test set one. */
  override async start(port?: number, host?: string): Promise<void> {
    await super.start(port, host);
    this.issuer.url ??= this.buildIssuerUrl(host, this.address().port);
    try {
      await this.#service.openLab();
    } catch (cause) {
      await super.stop();
      throw cause;
    }
  }

  /** Stops listening, and closes the lab. */
  override async stop(): Promise<void> {
    await super.stop();
    this.issuer.url = undefined;
    await this.#service.closeLab();
  }
}

function readFiles(key: string | undefined, cert: string | undefined): HttpServerOptions {
  if (key === undefined && cert === undefined) return {};
  if (!key || !cert) {
    throw new Error("Both key and cert need to be supplied to start the server with https");
  }
  return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
}
