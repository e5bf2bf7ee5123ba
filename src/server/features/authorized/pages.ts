// They load together, with the first page that is shown.

export { Authorized } from "./authorized.tsx";
