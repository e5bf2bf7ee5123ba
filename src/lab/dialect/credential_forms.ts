import type { ChooseCredential, CredentialName } from "../../server/issuer/random.ts";
import type { CredentialForm, CredentialForms } from "./identifier_settings.ts";

const members: Readonly<Partial<Record<CredentialName, keyof CredentialForms>>> = {
  code: "code",
  access_token: "accessToken",
  refresh_token: "refreshToken",
};

/** Returns the function that gives random credentials the form of a dialect. */
export function createFormedCredentials(
  forms: CredentialForms,
  randomSecret: () => string,
): ChooseCredential {
  return (name) => {
    const member = members[name];
    const form = member && forms[member];
    return Promise.resolve(form && formed(form, randomSecret));
  };
}

function formed(
  { prefix = "", form = "alphanumeric", length }: CredentialForm,
  randomSecret: () => string,
): string {
  const others = form === "hex" ? /[^a-f0-9]/g : /[^A-Za-z0-9]/g;
  let rest = "";
  while (rest.length < length) rest += randomSecret().replace(others, "");
  return prefix + rest.slice(0, length);
}
