// They load together, with the first request for one of them.

export { deviceAuthorization } from "./device_authorization.ts";
export { handleUserCode, showUserCodeForm } from "./user_code_page.ts";
