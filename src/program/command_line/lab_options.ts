import { redirectUriProblem } from "../../server/protocol/redirect_uri.ts";
import { anyClientOption } from "../features/any_client/command_line.ts";
import { anyUserOption } from "../features/any_user/command_line.ts";
import { drillOriginOption } from "../features/drill/command_line.ts";
import { enterpriseOption } from "../features/enterprise/command_line.ts";
import { hostsOption, providerOption } from "../features/providers/command_line.ts";
import { workloadsOption } from "../features/workloads/command_line.ts";
import { inLab, type Option, portProblem } from "./command.ts";

export const labToken: Option = {
  ...inLab,
  name: "lab-token",
  sets: "labToken",
  valueName: "TOKEN",
  help: "the token that protects /lab, at least 16 characters",
};

export const labOptions: readonly Option[] = [
  {
    ...inLab,
    name: "redirect-uri",
    sets: "redirectUris",
    valueName: "URI",
    repeatable: true,
    help: "another redirect URI for the demo clients; may be repeated",
    problem: (value) => redirectUriProblem(value, true),
  },
  anyClientOption,
  anyUserOption,
  providerOption,
  hostsOption,
  enterpriseOption,
  workloadsOption,
  {
    ...inLab,
    name: "sign-in",
    sets: "signIn",
    valueName: "NAME",
    help: "sign this user in at every authorization request, without any page",
  },
  {
    ...inLab,
    name: "sign-in-by-hint",
    sets: "signInByHint",
    help: "sign in the user of a login_hint, without any page",
  },
  {
    group: "Addresses",
    inEnvironment: true,
    name: "tls",
    help: "listen on https: make a certificate for one day, and write hallpass-ca.pem, " +
      "the authority to trust",
  },
  {
    ...inLab,
    name: "expose",
    help: "let other machines reach the lab; needs --lab-token",
  },
  labToken,
  {
    ...inLab,
    name: "lab-port",
    valueName: "N",
    help: "serve /lab on this port only",
    problem: portProblem,
  },
  drillOriginOption,
  {
    ...inLab,
    name: "with-parent",
    help: "end with the process that started the lab, even if it was killed",
  },
];
