// They load together, with the first request for one of them.

export { authorized } from "./authorized_page.ts";
export { startAuthorization } from "./start_authorization.ts";
