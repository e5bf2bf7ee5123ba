// They load together, with the first page that is shown.

export { Authorized, AuthorizedContent, authorizedTitle } from "./authorized.tsx";
export { authorizedProps } from "./callback_props.ts";
