import { importJWK, SignJWT } from "jose";
import { numericDate } from "../../../server/issuer/time.ts";
import { type Emitter, emitterFor } from "./emitter.ts";
import { JWKStore } from "./jwk_store.ts";
import { InvalidRequest } from "./problem.ts";
import type {
  IssuerEvents,
  MutableToken,
  ScopesOrTransform,
  StoredJwk,
  TokenBuildOptions,
} from "./types.ts";

/** The lifetime of a token, in seconds. */
export const defaultLifetime = 3600;

/** So long before it is issued, a token is valid already, in seconds. */
const leeway = 10;

/** The emitter of the events of an issuer. */
export const IssuerEmitter: new () => Emitter<IssuerEvents> = emitterFor<IssuerEvents>();

/** An issuer: its URL, its keys and its tokens. Its interface is that of oauth2-mock-server. */
export class OAuth2Issuer extends IssuerEmitter {
  readonly #keys = new JWKStore();
  readonly #endsWithSlash: boolean | undefined;
  #url: string | undefined;
  #now: () => number = Date.now;

  /** Creates an issuer without a URL. */
  constructor(shouldIssuerUrlBeSuffixedWithATralingSlash?: boolean) {
    super();
    this.#endsWithSlash = shouldIssuerUrlBeSuffixedWithATralingSlash;
  }

  /** The issuer URL; undefined until it is set, or until the server listens. */
  get url(): string | undefined {
    return this.#url;
  }

  set url(value: string | undefined) {
    this.#url = value === undefined ? undefined : withFinalSlash(value, this.#endsWithSlash);
  }

  /** The keys. */
  get keys(): JWKStore {
    return this.#keys;
  }

  /** Takes the time of tokens from a clock that a test may move. */
  useClock(now: () => number): void {
    this.#now = now;
  }

  /** Signs a token, with the next key unless the options name one. */
  async buildToken(options?: TokenBuildOptions): Promise<string> {
    return await this.buildTokenWith(() => {}, options ?? {});
  }

  /** Signs a token that a function changes last. */
  async buildTokenWith(
    change: (token: MutableToken) => void,
    { kid, scopesOrTransform, expiresIn = defaultLifetime }: TokenBuildOptions,
  ): Promise<string> {
    const key = this.#keys.get(kid);
    if (!key) throw new Error("Cannot build token: Unknown key.");
    if (this.#url === undefined) throw new InvalidRequest("Unknown issuer url");
    const iat = numericDate({ now: this.#now });
    const token: MutableToken = {
      header: { kid: key.kid },
      payload: { iss: this.#url, iat, exp: iat + expiresIn, nbf: iat - leeway },
    };
    transform(token, scopesOrTransform);
    this.emit("beforeSigning", token);
    change(token);
    return await sign(key, token);
  }
}

function withFinalSlash(url: string, wanted: boolean | undefined): string {
  if (wanted === undefined || url.endsWith("/") === wanted) return url;
  return wanted ? `${url}/` : url.slice(0, -1);
}

function transform({ header, payload }: MutableToken, wanted: ScopesOrTransform | undefined): void {
  if (typeof wanted === "function") wanted(header, payload);
  else if (typeof wanted === "string") payload.scope = wanted;
  else if (Array.isArray(wanted)) payload.scope = wanted.join(" ");
}

/** The algorithm is that of the key, even if a listener wrote another into the header. */
async function sign(key: StoredJwk, { header, payload }: MutableToken): Promise<string> {
  return await new SignJWT(payload)
    .setProtectedHeader({ typ: "JWT", ...header, alg: key.alg })
    .sign(await importJWK(key, key.alg));
}
