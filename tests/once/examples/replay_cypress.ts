/** What `cy.request` takes, as far as it is needed here. */
interface CypressRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: object;
}

/** The result of a command, whose members can be followed: `cy.request(…).its("body")`. */
interface Chain extends Promise<unknown> {
  its(name: string): Chain;
}

type Commands = Record<string, (...values: unknown[]) => Chain>;

/**
 * Defines the globals that custom commands of Cypress use, and returns `cy`. A request is a fetch
 * without `Origin`, as Cypress sends it from its own process.
 */
export function replayCypress(env: Record<string, string>): Commands {
  const cy: Commands = { request: (options) => chain(send(options as CypressRequest)) };
  const add = (name: string, command: Commands[string]) => void (cy[name] = command);
  const Cypress = { env: (name: string) => env[name], Commands: { add } };
  const after = (hook: Commands[string]) => add("after", hook);
  Object.assign(globalThis, { cy, Cypress, after });
  return cy;
}

function chain(result: Promise<unknown>): Chain {
  const its = (name: string) => chain(result.then((value) => Reflect.get(Object(value), name)));
  return Object.assign(result, { its });
}

async function send({ method, url, headers, body }: CypressRequest): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...body && { "Content-Type": "application/json" } },
    ...body && { body: JSON.stringify(body) },
  });
  const text = await response.text();
  // Cypress fails a test at any other status.
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return { status: response.status, body: text === "" ? "" : JSON.parse(text) };
}
