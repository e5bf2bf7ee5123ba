import { makeKey } from "./key_maker.ts";
import { pbkdf2Passwords } from "./passwords.ts";
import type { Policies } from "./policies.ts";

export const defaultPolicies: Policies = {
  authenticate: async (form, known) => ({ user: await known.checkPassword(form), amr: ["pwd"] }),
  passwords: pbkdf2Passwords,
  makeKey,
};

export const defaultGrantTypes: readonly string[] = [
  "authorization_code",
  "refresh_token",
  "client_credentials",
];
