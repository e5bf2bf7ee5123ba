import { once } from "../util/time/promises.ts";
import type { Endpoint } from "./route.ts";

const pages = once(() => import("./page_endpoints.ts"));
const clients = once(() => import("./client_endpoints.ts"));

/*
 * A server for programs alone never calls these endpoints, so their code loads with the first
 * request for one of them.
 */
export const account: Endpoint = lazyEndpoint(pages, ({ account }) => account);
export const authorize: Endpoint = lazyEndpoint(pages, ({ authorize }) => authorize);
export const authorizeByPost: Endpoint = lazyEndpoint(
  pages,
  ({ authorizeByPost }) => authorizeByPost,
);
export const authorized: Endpoint = lazyEndpoint(pages, ({ authorized }) => authorized);
export const changePasswordByForm: Endpoint = lazyEndpoint(
  pages,
  ({ changePasswordByForm }) => changePasswordByForm,
);
export const confirmLogout: Endpoint = lazyEndpoint(pages, ({ confirmLogout }) => confirmLogout);
export const consent: Endpoint = lazyEndpoint(pages, ({ consent }) => consent);
export const device: Endpoint = lazyEndpoint(pages, ({ device }) => device);
export const deviceByPost: Endpoint = lazyEndpoint(pages, ({ deviceByPost }) => deviceByPost);
export const endSessions: Endpoint = lazyEndpoint(pages, ({ endSessions }) => endSessions);
export const favicon: Endpoint = lazyEndpoint(pages, ({ favicon }) => favicon);
export const home: Endpoint = lazyEndpoint(pages, ({ home }) => home);
export const interaction: Endpoint = lazyEndpoint(pages, ({ interaction }) => interaction);
export const logout: Endpoint = lazyEndpoint(pages, ({ logout }) => logout);
export const logoutByHandle: Endpoint = lazyEndpoint(pages, ({ logoutByHandle }) => logoutByHandle);
export const logoutByPost: Endpoint = lazyEndpoint(pages, ({ logoutByPost }) => logoutByPost);
export const removeAccess: Endpoint = lazyEndpoint(pages, ({ removeAccess }) => removeAccess);
export const selectAccount: Endpoint = lazyEndpoint(pages, ({ selectAccount }) => selectAccount);
export const showPasswordForm: Endpoint = lazyEndpoint(
  pages,
  ({ showPasswordForm }) => showPasswordForm,
);
export const signIn: Endpoint = lazyEndpoint(pages, ({ signIn }) => signIn);
export const signInToAccount: Endpoint = lazyEndpoint(
  pages,
  ({ signInToAccount }) => signInToAccount,
);
export const signOut: Endpoint = lazyEndpoint(pages, ({ signOut }) => signOut);
export const startAuthorization: Endpoint = lazyEndpoint(
  pages,
  ({ startAuthorization }) => startAuthorization,
);
export const staticFile: Endpoint = lazyEndpoint(pages, ({ staticFile }) => staticFile);

export const changeRegistration: Endpoint = lazyEndpoint(
  clients,
  ({ changeRegistration }) => changeRegistration,
);
export const deviceAuthorization: Endpoint = lazyEndpoint(
  clients,
  ({ deviceAuthorization }) => deviceAuthorization,
);
export const endRegistration: Endpoint = lazyEndpoint(
  clients,
  ({ endRegistration }) => endRegistration,
);
export const par: Endpoint = lazyEndpoint(clients, ({ par }) => par);
export const register: Endpoint = lazyEndpoint(clients, ({ register }) => register);
export const showRegistration: Endpoint = lazyEndpoint(
  clients,
  ({ showRegistration }) => showRegistration,
);

function lazyEndpoint<Module>(
  load: () => Promise<Module>,
  find: (module: Module) => Endpoint,
): Endpoint {
  return async (ctx, segment) => await find(await load())(ctx, segment);
}
