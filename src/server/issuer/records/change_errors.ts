import { OAuthError } from "../../protocol/oauth_error.ts";

/** Thrown while another request changes the same data, in this process or another one. */
export class LockedError extends OAuthError {
  constructor() {
    super("temporarily_unavailable", "Another request is changing the same data; try again.", {
      headers: { "Retry-After": "1" },
    });
  }
}

/** Why an operator's request was refused, in one sentence. */
export class AdminError extends Error {
  /** Runtimes print it, and minified code would have another. */
  static override readonly name = "AdminError";
  override readonly name = "AdminError";
}
