// They load together, with the first page that is shown.

export { Account } from "./account.tsx";
export { ChangePassword } from "./change_password.tsx";
