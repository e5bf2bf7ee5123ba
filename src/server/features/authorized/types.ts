export type { AuthorizedProps } from "./authorized.tsx";
export type { AuthorizedPages } from "./config.ts";
export type { ClientProofs } from "./token_request.ts";
