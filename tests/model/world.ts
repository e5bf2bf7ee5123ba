import { add as addClient } from "../../src/administration/clients.ts";
import { add as addUser } from "../../src/administration/users.ts";
import { completeClaimRows } from "../../src/server/issuer/users/find_users.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Row, Store } from "../../src/server/store/store.ts";
import { type Browser, createBrowser, type Page, readForm } from "../support/browser.ts";
import { startOfTime } from "../support/kit.ts";
import { firstMatch, present } from "../support/present.ts";
import { type Credential, openRequest } from "./credentials.ts";
import {
  askUser,
  authorizationPath,
  postAs,
  redeemCode,
  redirectUri,
  registerClient,
  secretOf,
} from "./requests.ts";
import {
  createNode,
  grantTypes,
  issuer,
  type ModelSettings,
  type ServerNode,
} from "./server_node.ts";

/** A form of a page that a user has in front of them. */
export interface OpenForm {
  path: string;
  fields: Record<string, string>;
}

/** The forms that dora has open; those of the device and of the request in two tabs. */
type OpenForms = Record<
  | "consent"
  | "device"
  | "deviceInOtherTab"
  | "request"
  | "requestInOtherTab"
  | "withdrawal"
  | "password"
  | "otherSessions"
  | "signOut",
  OpenForm
>;

/** What there is before the operations of a schedule begin. */
export interface World {
  settings: ModelSettings;
  rows: ReadonlyArray<readonly [kind: string, id: string, row: Row]>;
  credentials: readonly Credential[];
  /** What dora's browser sends. */
  cookies: string;
  forms: OpenForms;
  /** The code of a device that waits for its user. */
  deviceCode: string;
  /** The auth_req_id of a request over the back channel that waits for dora. */
  authReqId: string;
  registration: { id: string; token: string };
}

/** Who signs in. The password is the name. */
type UserName = "dora" | "erin";

const worlds = new Map<string, Promise<World>>();

/** Returns the world for some settings. It is made once; each schedule begins with a copy. */
export function worldFor(settings: ModelSettings): Promise<World> {
  const key = JSON.stringify(settings);
  const world = worlds.get(key) ?? createWorld(settings);
  worlds.set(key, world);
  return world;
}

/** Writes the rows of a world into an empty store. */
export async function fillStore({ rows }: World, store: Store): Promise<void> {
  await Promise.all(rows.map(([kind, id, row]) => store.put(kind, id, row)));
}

async function createWorld(settings: ModelSettings): Promise<World> {
  const { store, rows } = listableStore();
  const node = createNode(store, { now: startOfTime }, settings, "world");
  await addDirectory(node, settings);
  const dora = openBrowser(node);
  const first = await issueTokens(node, dora, "dora", "app");
  const offline = await issueTokens(node, dora, "dora", "app", {
    scope: "read offline_access",
    prompt: "consent",
  });
  const elsewhere = openBrowser(node);
  const other = await issueTokens(node, elsewhere, "dora", "other");
  const erins = await issueTokens(node, openBrowser(node), "erin", "other");
  const registered = (await registerClient(node, "Registered")).body;
  const code = await authorize(dora, "dora", "app");
  const registration = {
    id: present(registered.client_id),
    token: present(registered.registration_access_token),
  };
  const device = await startDevice(node);
  await dora.submit(await openDevicePage(dora, device), "consent", { decision: "allow" });
  const waitingDevice = await startDevice(node);
  const asked = await askOverBackChannel(node);
  await dora.submit(await openRequestPage(dora), "consent", { decision: "allow" });
  const authReqId = await askOverBackChannel(node);
  const forms = await openForms(dora, waitingDevice);
  const ofDora = { user: "dora", client: "app" } as const;
  const inSession = { ...ofDora, session: "here" } as const;
  const isElsewhere = { user: "dora", client: "other", session: "elsewhere" } as const;
  const credentials: Credential[] = [
    ...tokensOf("", first, { ...inSession, authorization: "first" }),
    ...tokensOf("offline ", offline, { ...ofDora, authorization: "offline" }),
    ...tokensOf("other ", other, { ...isElsewhere, authorization: "other" }),
    ...tokensOf("erin's ", erins, { client: "other", user: "erin", authorization: "erin's" }),
    { ...inSession, name: "code", kind: "code", value: code, authorization: "second" },
    {
      ...inSession,
      name: "device code",
      kind: "device code",
      value: device.code,
      authorization: "device",
    },
    {
      ...inSession,
      name: "auth_req_id",
      kind: "auth_req_id",
      value: asked,
      authorization: "asked",
    },
    { name: openRequest, kind: openRequest, value: authReqId, client: "" },
    { ...inSession, name: "session", kind: "session", value: cookiesOf(dora), client: "" },
    {
      ...isElsewhere,
      name: "session elsewhere",
      kind: "session",
      value: cookiesOf(elsewhere),
      client: "",
    },
    { ...ofDora, name: "consent", kind: "consent", value: "" },
    { name: "user entry", kind: "entry", value: "dora", user: "dora", client: "" },
    { name: "client", kind: "client", value: "app", client: "app" },
    { name: "client entry", kind: "entry", value: "app", client: "app" },
    { name: "registration", kind: "client", value: registration.id, client: registration.id },
  ];
  const cookies = cookiesOf(dora);
  const deviceCode = waitingDevice.code;
  const waiting = { deviceCode, authReqId };
  return { settings, rows: await rows(), credentials, cookies, forms, ...waiting, registration };
}

async function addDirectory(
  { server: { context } }: ServerNode,
  { jwt }: ModelSettings,
): Promise<void> {
  // No server of a run completes what an operation leaves out.
  await completeClaimRows(context);
  for (const name of ["dora", "erin"]) {
    await addUser(context, { name, password: name, claims: { email: `${name}@example.org` } });
  }
  for (const id of ["app", "other"]) {
    await addClient(context, {
      id,
      secret: secretOf(id),
      redirectUris: [redirectUri],
      grantTypes: [...grantTypes],
      scopes: ["openid", "read", "offline_access"],
      accessTokenFormat: jwt ? "jwt" : "opaque",
    });
  }
}

/** A token response of the setup. */
interface SetupTokens {
  access: string;
  refresh: string;
}

async function issueTokens(
  node: ServerNode,
  browser: Browser,
  user: UserName,
  client: string,
  changes: Record<string, string> = {},
): Promise<SetupTokens> {
  const code = await authorize(browser, user, client, changes);
  const { access_token, refresh_token } = (await redeemCode(node, client, code)).body;
  return { access: present(access_token), refresh: present(refresh_token) };
}

async function authorize(
  browser: Browser,
  user: UserName,
  client: string,
  changes: Record<string, string> = {},
): Promise<string> {
  const url = await browser.authorize(issuer + authorizationPath(client, changes), { user });
  return present(new URL(url).searchParams.get("code"));
}

function tokensOf(
  prefix: string,
  { access, refresh }: SetupTokens,
  origin: Omit<Credential, "name" | "kind" | "value">,
): Credential[] {
  return [
    { ...origin, name: `${prefix}access token`, kind: "access token", value: access },
    { ...origin, name: `${prefix}refresh token`, kind: "refresh token", value: refresh },
  ];
}

/** A device that has begun. */
interface StartedDevice {
  code: string;
  userCode: string;
}

async function startDevice(node: ServerNode): Promise<StartedDevice> {
  const { body } = await postAs(node, "app", "/oauth2/device_authorization", { scope: "read" });
  return { code: present(body.device_code), userCode: present(body.user_code) };
}

/** Opens the page on which a user allows a device what it asks for. */
async function openDevicePage(browser: Browser, { userCode }: StartedDevice): Promise<Page> {
  const page = await browser.open(`${issuer}/device`);
  return await browser.submit(page, "device", { user_code: userCode });
}

async function askOverBackChannel(node: ServerNode): Promise<string> {
  return present((await askUser(node, "app", "dora")).body.auth_req_id);
}

/** Opens the page on which a user allows what a client asks over the back channel. */
async function openRequestPage(browser: Browser): Promise<Page> {
  const account = await browser.open(`${issuer}/account`);
  const request = firstMatch(account.html, /name="request" value="([^"]+)"/);
  return await browser.submit(account, "request-app", { request });
}

async function openForms(browser: Browser, device: StartedDevice): Promise<OpenForms> {
  const account = await browser.open(`${issuer}/account`);
  const consentPath = authorizationPath("app", { prompt: "consent" });
  const consent = await browser.open(issuer + consentPath);
  const form = (page: Page, id: string): OpenForm => {
    const { action, hidden } = readForm(page, id);
    return { path: new URL(action).pathname, fields: hidden };
  };
  return {
    consent: form(consent, "consent"),
    device: form(await openDevicePage(browser, device), "consent"),
    deviceInOtherTab: form(await openDevicePage(browser, device), "consent"),
    request: form(await openRequestPage(browser), "consent"),
    requestInOtherTab: form(await openRequestPage(browser), "consent"),
    password: form(await browser.open(`${issuer}/account/password`), "change-password"),
    otherSessions: form(account, "end-other-sessions"),
    withdrawal: form(account, firstMatch(account.html, /<form id="(remove-app)"/)),
    signOut: form(account, "sign-out"),
  };
}

function openBrowser({ server }: ServerNode): Browser {
  return createBrowser(server.fetch, (url) => url.startsWith(redirectUri));
}

function cookiesOf({ cookies }: Browser): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** A store whose rows can be listed without knowing their kinds. */
function listableStore(): { store: Store; rows(): Promise<World["rows"]> } {
  const store = memoryStore();
  const kinds = new Set<string>();
  const noting =
    <T extends unknown[], R>(method: (kind: string, ...rest: T) => R) =>
    (kind: string, ...rest: T) => {
      kinds.add(kind);
      return method(kind, ...rest);
    };
  return {
    store: { ...store, put: noting(store.put), add: noting(store.add) },
    async rows() {
      const lists = await Promise.all([...kinds].map(async (kind) => {
        const rows = await store.list(kind, { limit: 1000 });
        return rows.map(([id, row]) => [kind, id, row] as const);
      }));
      return lists.flat();
    },
  };
}
