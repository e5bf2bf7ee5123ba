export type { AccountProps, PasswordProps } from "./account.tsx";
export type { ChangePasswordProps } from "./change_password.tsx";
export type { ChoosePasswordProps } from "./choose_password.tsx";
export type { AccountPages } from "./config.ts";
export type { ConnectedAppProps } from "./connected_app.tsx";
export type * from "./languages/words.ts";
export type { SessionProps } from "./session_list.tsx";
export type { WaitingRequestProps, WaitingRequestsProps } from "./waiting_list.tsx";
