import { add as addUser } from "../../../../src/administration/users.ts";
import { defaultPolicies } from "../../../../src/server/config/policies.ts";
import type { Store } from "../../../../src/server/store/store.ts";
import { readForm } from "../../../support/browser.ts";
import { type Kit, openKit } from "../../../support/kit.ts";
import { encodePairs, type Pair } from "../generators/forms.ts";
import { applyEdit, hostilePieces } from "../generators/texts.ts";
import { type PlannedRequest, requests, storedUser } from "./requests.ts";
import { credentialNames, type ParameterEdit, type Step } from "./step.ts";

/** A request of a flow with its response. */
export interface FlowExchange {
  step: string;
  request: Request;
  response: Response;
  text: string;
}

/** A browser and a client in one, which follow a flow. */
export interface FlowSession {
  /** Sends a step, and follows the redirects within the server. */
  run(step: Step): Promise<FlowExchange[]>;
}

const maxRedirects = 3;
const formIds = ["sign-in", "consent", "select-account", "device", "sign-out", "confirm-sign-out"];

/** Opens a server for flows, whose users sign in with passwords and can change them. */
export function openFlowKit(store?: Store): Kit {
  const { authenticate } = defaultPolicies;
  return openKit({ store, policies: { authenticate } });
}

/** Opens a session that remembers cookies, credentials and the last page. */
export async function openSession(kit: Kit): Promise<FlowSession> {
  await addUser(kit.server.context, storedUser);
  const credentials = new Map<string, string>();
  const cookies = new Map<string, string>();
  let page = { url: kit.issuer, html: "" };

  async function send(step: string, request: Request): Promise<FlowExchange> {
    const response = await kit.server.fetch(request);
    const text = await response.text();
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      cookies.set(pair.split("=", 1).join(), pair);
    }
    for (const [name, value] of credentialsIn(response, text)) credentials.set(name, value);
    const isPage = response.headers.get("Content-Type")?.startsWith("text/html") ?? false;
    if (isPage && text !== "") page = { url: request.url, html: text };
    return { step, request, response, text };
  }

  async function run(step: Step): Promise<FlowExchange[]> {
    kit.clock.advance(step.wait ?? 0);
    const { inNewBrowser }: PlannedRequest = requests[step.name];
    if (inNewBrowser) cookies.clear();
    const request = createRequest(step, { issuer: kit.issuer, credentials, cookies, page });
    if (!request) return [];
    const exchanges = [await send(step.name, request)];
    for (let redirects = 0; redirects < maxRedirects; redirects++) {
      const location = exchanges.at(-1)?.response.headers.get("Location") ?? "";
      const next = new URL(location || "none:", page.url);
      if (next.origin !== new URL(kit.issuer).origin || next.pathname === "/authorized") break;
      exchanges.push(
        await send(`${step.name}, redirected`, new Request(next, withCookies(cookies))),
      );
    }
    return exchanges;
  }

  return { run };
}

/** What a session knows. */
interface SessionState {
  issuer: string;
  credentials: ReadonlyMap<string, string>;
  cookies: ReadonlyMap<string, string>;
  page: { url: string; html: string };
}

/** Makes the request of a step, with all that is wrong. Some cannot be sent at all. */
function createRequest(step: Step, state: SessionState): Request | undefined {
  const planned: PlannedRequest = requests[step.name];
  const { path, pairs, headers } = prepare(planned, state);
  const edited = step.edits.reduce((all, edit) => applyParameterEdit(all, edit, state), pairs);
  const text = planned.json ? jsonText(planned.json, step, state) : encodePairs(edited);
  const parameters = step.textEdits.reduce(applyEdit, text);
  const method = step.method ?? planned.method;
  const hasBody = method === "POST" || method === "PUT" || method === "PATCH";
  const target = step.pathEdits.reduce(applyEdit, path);
  const url = `${target.startsWith("http") ? "" : state.issuer}${target}`;
  const type = planned.json ? "application/json" : "application/x-www-form-urlencoded";
  try {
    const request = new Request(hasBody || parameters === "" ? url : `${url}?${parameters}`, {
      method,
      headers: { ...withCookies(state.cookies).headers, ...hasBody && { "Content-Type": type } },
      ...hasBody && { body: parameters },
    });
    const all = [...Object.entries(headers), ...step.header ? [step.header] : []];
    for (const [name, value] of all) request.headers.set(name, value);
    return new URL(request.url).origin === state.issuer ? request : undefined;
  } catch {
    return undefined;
  }
}

function prepare(planned: PlannedRequest, state: SessionState) {
  const fill = (text: string) => withCredentials(text, state.credentials);
  const { pairs = [], headers = {} } = planned;
  const filled = pairs.map(([name, value]): Pair => [name, fill(value)]);
  const form = formOn(state.page, planned);
  return {
    path: planned.path === "$form" ? form?.action ?? "/nothing" : fill(planned.path),
    pairs: [...Object.entries(form?.hidden ?? {}), ...filled],
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, fill(value)]),
    ),
  };
}

/** Finds the form on a page that a request sends. */
function formOn(
  page: SessionState["page"],
  { path, form = path === "$form" ? formIds.join("|") : undefined }: PlannedRequest,
): { action: string; hidden: Record<string, string> } | undefined {
  if (form === undefined) return undefined;
  const [, id] = new RegExp(`<form id="((?:${form})[^"]*)"`).exec(page.html) ?? [];
  return id === undefined ? undefined : readForm(page, id);
}

function withCredentials(text: string, credentials: ReadonlyMap<string, string>): string {
  return text.replace(/\$([a-z_]+)/g, (_, name) => credentials.get(name) ?? "none");
}

function applyParameterEdit(
  pairs: readonly Pair[],
  { action, at, pair, edit, credential }: ParameterEdit,
  { credentials }: SessionState,
): Pair[] {
  if (pairs.length === 0) return [pair];
  const index = at % pairs.length;
  const [name, value] = pairs[index] ?? pair;
  switch (action) {
    case "drop":
      return pairs.filter((_, each) => each !== index);
    case "set":
      return [...pairs.filter(([each]) => each !== pair[0]), pair];
    case "repeat":
      return [...pairs, [name, pair[1]]];
    case "edit":
      return pairs.with(index, [name, applyEdit(value, edit)]);
    case "swap":
      return pairs.with(index, [name, credentials.get(credential) ?? ""]);
  }
}

/** Writes JSON with changed members; what is hostile in it is JSON, too. */
function jsonText(json: object, { edits }: Step, { credentials }: SessionState): string {
  const text = withCredentials(JSON.stringify(json), credentials);
  const entries = Object.entries(JSON.parse(text));
  const changed = edits.reduce((all, { action, at, pair }) => {
    const index = at % Math.max(1, all.length);
    if (action === "drop") return all.filter((_, each) => each !== index);
    const [name] = action === "set" ? pair : all[index] ?? pair;
    const value = action === "swap" ? hostilePieces[at] : action === "edit" ? [pair[1]] : pair[1];
    return [...all.filter(([each]) => each !== name), [name, value] as [string, unknown]];
  }, entries);
  return JSON.stringify(Object.fromEntries(changed));
}

function withCookies(cookies: ReadonlyMap<string, string>): { headers: Record<string, string> } {
  return { headers: cookies.size > 0 ? { Cookie: [...cookies.values()].join("; ") } : {} };
}

/** Finds the credentials of a response, in JSON, in a redirect or on a page. */
function credentialsIn(response: Response, text: string): Array<[name: string, value: string]> {
  const location = response.headers.get("Location") ?? "";
  const query = URL.canParse(location) ? [...new URL(location).searchParams] : [];
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  const members = isJson ? Object.entries(JSON.parse(text || "{}")) : [];
  const [, formToken] = /name="form_token" value="([^"]+)"/.exec(text) ?? [];
  const [, request] = /name="request" value="([^"]+)"/.exec(text) ?? [];
  const all = [...query, ...members, ["form_token", formToken], ["request", request]];
  return all.filter((pair): pair is [string, string] =>
    typeof pair[1] === "string" && credentialNames.some((name) => name === pair[0])
  );
}
