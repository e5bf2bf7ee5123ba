import type { Ledger } from "./ledger.ts";
import type { CrashResponse, ServerClient } from "./server_client.ts";

/** Returns the next number of a series between 0 and 1. */
export type Random = () => number;

/** How many chains of requests run at once. */
const workers = 4;

/** The server is dead, or its store is. */
class NotAcknowledged extends Error {}

/** Sends requests until `isOver`, and records what the server acknowledges. */
export async function sendLoad(
  client: ServerClient,
  ledger: Ledger,
  { random, isOver }: { random: Random; isOver: () => boolean },
): Promise<void> {
  const work = async () => {
    while (!isOver()) {
      try {
        await runChain(client, ledger, random);
      } catch (cause) {
        if (!isInterruption(cause)) throw cause;
        ledger.refused++;
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
}

/** Authorizes, redeems, refreshes and revokes. What was sent without a response is in doubt. */
async function runChain(client: ServerClient, ledger: Ledger, random: Random): Promise<void> {
  if (random() < 0.2) await register(client, ledger);
  const code = await client.authorize();
  if (code === undefined) throw new NotAcknowledged("There is no code.");
  ledger.acknowledged++;
  ledger.codes.add(code);
  if (random() < 0.3) return;
  const issued: string[] = [];
  let refreshToken = await redeem(client, ledger, code, issued);
  while (random() < 0.6) refreshToken = await refresh(client, ledger, refreshToken, issued);
  if (random() < 0.4) await revoke(client, ledger, [refreshToken, ...issued]);
}

async function redeem(
  client: ServerClient,
  ledger: Ledger,
  code: string,
  issued: string[],
): Promise<string> {
  ledger.codes.delete(code);
  ledger.doubtfulCodes.add(code);
  const response = acknowledge(ledger, await client.redeem(code));
  ledger.doubtfulCodes.delete(code);
  ledger.usedCodes.add(code);
  return keepTokens(ledger, response, issued);
}

async function refresh(
  client: ServerClient,
  ledger: Ledger,
  token: string,
  issued: string[],
): Promise<string> {
  ledger.refreshTokens.delete(token);
  const response = acknowledge(ledger, await client.refresh(token));
  ledger.usedRefreshTokens.add(token);
  return keepTokens(ledger, response, issued);
}

function keepTokens(ledger: Ledger, { body }: CrashResponse, issued: string[]): string {
  const { access_token = "", refresh_token = "" } = body;
  issued.push(access_token);
  ledger.accessTokens.add(access_token);
  ledger.refreshTokens.add(refresh_token);
  return refresh_token;
}

/** Revokes a refresh token, which ends every token of its authorization. */
async function revoke(
  client: ServerClient,
  ledger: Ledger,
  [refreshToken = "", ...accessTokens]: string[],
): Promise<void> {
  ledger.refreshTokens.delete(refreshToken);
  for (const token of accessTokens) ledger.accessTokens.delete(token);
  acknowledge(ledger, await client.revoke(refreshToken));
  for (const token of [refreshToken, ...accessTokens]) ledger.revokedTokens.add(token);
}

async function register(client: ServerClient, ledger: Ledger): Promise<void> {
  const { body } = acknowledge(ledger, await client.register());
  const { registration_client_uri: url = "", registration_access_token: token = "" } = body;
  ledger.registrations.set(url, token);
}

/** Counts a response. A store that is away is reported by 503, and by nothing else. */
function acknowledge(ledger: Ledger, response: CrashResponse): CrashResponse {
  const { status, body } = response;
  if (status === 503) throw new NotAcknowledged("The store is away.");
  if (status >= 300) throw new Error(`Unexpected response ${status}: ${JSON.stringify(body)}`);
  ledger.acknowledged++;
  return response;
}

/** Whether a request failed because the server or its store is dead. */
function isInterruption(cause: unknown): boolean {
  return cause instanceof NotAcknowledged || cause instanceof TypeError;
}
