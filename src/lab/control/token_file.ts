import type { Duration } from "../../server/util/time/duration.ts";

/** What the token in a file is for. */
export interface TokenFileOptions {
  /**
   * The open segments of the path where the token is requested: `{ namespace: "shop", name:
   * "checkout" }`.
   *
   * @default "default" for each
   */
  segments?: Readonly<Record<string, string>> | undefined;
  /**
   * The audience.
   *
   * @default that of the provider
   */
  audience?: string | undefined;
  /**
   * The lifetime, if a request may name one.
   *
   * @default that of the provider
   */
  lifetime?: Duration | undefined;
  /**
   * Further members of the JSON of the request: `{ spec: { boundObjectRef: { kind: "Pod", name:
   * "checkout-1" } } }`.
   *
   * @default {}
   */
  body?: Readonly<Record<string, unknown>> | undefined;
}

/** A file with the token of a program, which is rewritten before the token expires. */
export interface TokenFile {
  /** Where the file is. */
  readonly path: string;
  /**
   * Returns the token in the file, once a rewrite that is due was done, or has failed.
   *
   * @throws {LabError} It failed, and the token in the file has expired.
   */
  current(): Promise<string>;
  /** Removes the file. It happens anyway when the lab is closed. */
  remove(): void;
  /** Removes the file at the end of a `using` block. */
  [Symbol.dispose](): void;
}
