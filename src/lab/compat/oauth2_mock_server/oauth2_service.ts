import type { TestLab } from "../../testing/test_lab.ts";
import { LabError } from "../../util/lab_error.ts";
import { type Emitter, emitterFor } from "./emitter.ts";
import { endpointRoutes, handleMessage } from "./handle_message.ts";
import type { OAuth2Issuer } from "./oauth2_issuer.ts";
import { openMockLab } from "./open_mock_lab.ts";
import {
  type HttpMethod,
  type MockRouteHandler,
  type MutableToken,
  type NodeListener,
  type OAuth2Endpoints,
  type OAuth2EndpointsInput,
  type ScopesOrTransform,
  type ServiceEvents,
  supportedHttpMethods,
  type TokenRequestIncomingMessage,
} from "./types.ts";

/** The paths of the endpoints unless the test has others. */
const defaultEndpoints: OAuth2Endpoints = {
  wellKnownDocument: "/.well-known/openid-configuration",
  token: "/token",
  jwks: "/jwks",
  authorize: "/authorize",
  userinfo: "/userinfo",
  revoke: "/revoke",
  endSession: "/endsession",
  introspect: "/introspect",
};

/** The emitter of the events of a service. */
export const ServiceEmitter: new () => Emitter<ServiceEvents> = emitterFor<ServiceEvents>();

/** Handles the requests of a server. Its interface is that of oauth2-mock-server. */
export class OAuth2Service extends ServiceEmitter {
  readonly #issuer: OAuth2Issuer;
  readonly #endpoints: OAuth2Endpoints;
  readonly #routes = new Map<string, MockRouteHandler>();
  #opening: Promise<TestLab> | undefined;
  #lab: TestLab | undefined;

  /** Whether requests that break a rule are refused, as the lab alone would do. */
  strict = false;

  /** The listener for the servers of Node. */
  readonly requestHandler: NodeListener;

  /** Creates a service with the default endpoints, or with others. */
  constructor(issuer: OAuth2Issuer, endpoints: OAuth2EndpointsInput = {}) {
    super();
    checkPaths(endpoints);
    this.#issuer = issuer;
    this.#endpoints = { ...defaultEndpoints, ...endpoints };
    const listening = {
      endpoints: this.#endpoints,
      routes: this.#routes,
      lab: () => this.openLab(),
    };
    this.requestHandler = (request, response) => void handleMessage(listening, request, response);
  }

  /** The issuer. */
  get issuer(): OAuth2Issuer {
    return this.#issuer;
  }

  /** The lab behind the service. Throws a `LabError` until the server starts. */
  get lab(): TestLab {
    if (this.#lab) return this.#lab;
    throw new LabError("The lab is not open. Start the server first, or await 'openLab()'.");
  }

  /** Opens the lab behind the service, as the first request does. */
  openLab(): Promise<TestLab> {
    this.#opening ??= this.#open().catch((cause) => {
      this.#opening = undefined;
      throw cause;
    });
    return this.#opening;
  }

  /** Closes the lab. The next request or start opens another one. */
  async closeLab(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    this.#lab = undefined;
    this.#issuer.useClock(Date.now);
    await (await opening)?.close();
  }

  /** Builds a token for a request, and emits `beforeTokenSigning`. */
  async buildToken(
    request: TokenRequestIncomingMessage,
    expiresIn: number,
    scopesOrTransform: ScopesOrTransform | undefined,
  ): Promise<string> {
    const emit = (token: MutableToken) => void this.emit("beforeTokenSigning", token, request);
    return await this.#issuer.buildTokenWith(emit, { expiresIn, scopesOrTransform });
  }

  /** Adds a route of the test. */
  addRoute(method: HttpMethod, path: string, handler: MockRouteHandler): void {
    if (!supportedHttpMethods.includes(method)) throw new Error(`Invalid HTTP method: ${method}`);
    if (!path.startsWith("/")) {
      throw new Error(`Invalid path: '${path}'. Path should start with a forward slash ('/').`);
    }
    const route = `${method} ${path}`;
    if (endpointRoutes(this.#endpoints).includes(route) || this.#routes.has(route)) {
      throw new Error(`Route already exists: '${route}'`);
    }
    this.#routes.set(route, handler);
  }

  async #open(): Promise<TestLab> {
    const lab = await openMockLab({
      issuer: this.#issuer,
      endpoints: this.#endpoints,
      buildToken: (...given) => this.buildToken(...given),
      emit: (event, ...values) => void this.emit(event, ...values),
      isStrict: () => this.strict,
    });
    this.#lab = lab;
    return lab;
  }
}

function checkPaths(endpoints: OAuth2EndpointsInput): void {
  const invalid = Object.entries(endpoints).filter(([, path]) => !String(path).startsWith("/"));
  if (invalid.length === 0) return;
  const list = invalid.map(([name, path]) => `"${name}": "${path}"`).join(", ");
  throw new Error(
    `All endpoint paths must start with a forward slash. Invalid endpoints: ${list}`,
  );
}
