/** How a strategy of Passport ends for a request. */
export interface PassportOutcome {
  redirect?: string;
  // deno-lint-ignore no-explicit-any
  user?: any;
  failure?: unknown;
  error?: unknown;
}

/** What a strategy reads of a request. */
export interface PassportRequest {
  query: Record<string, string>;
  body?: Record<string, string>;
  session?: Record<string, unknown>;
}

/** Runs a strategy once, as Passport does for a request. */
export function runStrategy(
  strategy: object,
  request: PassportRequest,
  options: object = {},
): Promise<PassportOutcome> {
  return new Promise((resolve) => {
    const prepared = Object.create(strategy);
    prepared.redirect = (redirect: string) => resolve({ redirect });
    prepared.success = (user: NonNullable<PassportOutcome["user"]>) => resolve({ user });
    prepared.fail = (failure: unknown) => resolve({ failure });
    prepared.error = (error: unknown) => resolve({ error });
    prepared.authenticate({ body: {}, headers: {}, connection: {}, ...request }, options);
  });
}

/** What a strategy got at a sign-in. */
export interface PassportTokens {
  accessToken: string;
  refreshToken: string;
  profile: Record<string, unknown>;
}

/** Hands over what a strategy got, as an application does that keeps it. */
export function keepAll(...all: unknown[]): void {
  const done = all.at(-1) as (error: unknown, user: PassportTokens) => void;
  const [accessToken, refreshToken] = all as [string, string];
  done(null, { accessToken, refreshToken, profile: all.at(-2) as PassportTokens["profile"] });
}
