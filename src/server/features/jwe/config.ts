import { type AddedServerSettings, settingsPart } from "../../config/feature_config.ts";
import { linkSchemas } from "../../config/link_schemas.ts";
import type { ReportProblem } from "../../config/problems.ts";
import type { AddedClientSettings, Settings } from "../../config/settings.ts";
import type { CoreClientConfig } from "../../model/client_config.ts";
import type { DecryptionAlgorithm } from "../../model/signing.ts";
import { namedKeys } from "../../protocol/client_key.ts";
import settings from "./settings.json" with { type: "json" };

/** How content is encrypted. */
export type ContentEncryption =
  | "A128CBC-HS256"
  | "A192CBC-HS384"
  | "A256CBC-HS512"
  | "A128GCM"
  | "A192GCM"
  | "A256GCM";

/** An older algorithm, for clients whose library has nothing else. */
export type OlderEncryption = "RSA-OAEP" | "A128CBC-HS256" | "A192CBC-HS384" | "A256CBC-HS512";

/** What a server offers of encryption (RFC 7516). */
export interface JweConfig {
  /**
   * Lets clients register for encrypted responses, and publishes keys for encrypted request
   * objects. Configured clients need no such setting.
   */
  jwe?: boolean;
  /**
   * With `jwe`, older algorithms that clients may choose as well: RSA-OAEP with SHA-1, and CBC,
   * which a registration without an `enc` means (`A128CBC-HS256`).
   */
  jweAlgs?: OlderEncryption[];
}

/** What is encrypted for a client, with a key that it publishes. */
export interface JweClientConfig {
  /** Encrypts its ID tokens and logout tokens (`alg`). */
  idTokenEncryptionAlg?: DecryptionAlgorithm;
  /** Encrypts their content (`enc`). */
  idTokenEncryptionEnc?: ContentEncryption;
  /** Encrypts its userinfo responses (`alg`). */
  userinfoEncryptionAlg?: DecryptionAlgorithm;
  /** Encrypts their content (`enc`). */
  userinfoEncryptionEnc?: ContentEncryption;
  /** Encrypts introspection (RFC 9701, `alg`). */
  introspectionEncryptionAlg?: DecryptionAlgorithm;
  /** Encrypts their content (`enc`). */
  introspectionEncryptionEnc?: ContentEncryption;
  /** Encrypts authorization responses (JARM, `alg`). */
  authorizationResponseEncryptionAlg?: DecryptionAlgorithm;
  /** Encrypts their content (`enc`). */
  authorizationResponseEncryptionEnc?: ContentEncryption;
  /**
   * The one `alg` with which it may encrypt its request objects.
   *
   * @default any
   */
  requestObjectEncryptionAlg?: DecryptionAlgorithm;
  /**
   * The one `enc` with which it may encrypt their content.
   *
   * @default any
   */
  requestObjectEncryptionEnc?: ContentEncryption;
}

/**
 * RSA1_5 is left out: an attacker who learns whether its padding is right can decrypt (RFC 8725,
 * section 3.2). So is what needs a shared secret (`dir`, PBES2, A128KW): client secrets are not made
 * for it, and with PBES2 the sender chooses how much work decryption takes (section 3.11).
 */
export const keyAlgorithms: readonly DecryptionAlgorithm[] = [
  "RSA-OAEP-256",
  "RSA-OAEP-384",
  "RSA-OAEP-512",
  "ECDH-ES",
  "ECDH-ES+A128KW",
  "ECDH-ES+A192KW",
  "ECDH-ES+A256KW",
  "RSA-OAEP",
];

export const contentAlgorithms: readonly ContentEncryption[] = [
  "A128GCM",
  "A192GCM",
  "A256GCM",
  "A128CBC-HS256",
  "A192CBC-HS384",
  "A256CBC-HS512",
];

/** What a server offers only if its configuration names it. No specification forbids it. */
export const olderAlgorithms: readonly OlderEncryption[] = [
  "RSA-OAEP",
  "A128CBC-HS256",
  "A192CBC-HS384",
  "A256CBC-HS512",
];

/** The settings of each kind. */
const settingNames = {
  idToken: ["idTokenEncryptionAlg", "idTokenEncryptionEnc"],
  userinfo: ["userinfoEncryptionAlg", "userinfoEncryptionEnc"],
  introspection: ["introspectionEncryptionAlg", "introspectionEncryptionEnc"],
  authorizationResponse: [
    "authorizationResponseEncryptionAlg",
    "authorizationResponseEncryptionEnc",
  ],
  requestObject: ["requestObjectEncryptionAlg", "requestObjectEncryptionEnc"],
} as const;

/** What the settings are about. */
export type EncryptedKind = keyof typeof settingNames;

const kinds = Object.keys(settingNames) as EncryptedKind[];

linkSchemas(settings);

const serverPart = settingsPart<Required<JweConfig>>(settings.JweConfig);

export const jweSettings: AddedServerSettings<Required<JweConfig>> = {
  ...serverPart,
  check({ jwe, jweAlgs }, _, report) {
    if (jweAlgs.length > 0 && !jwe) report("jweAlgs", "needs jwe: true");
  },
};

/** Returns those of some algorithms that a server offers. */
export function offered<Alg extends string>(settings: Settings, algs: readonly Alg[]): Alg[] {
  const { jwe, jweAlgs } = serverPart.of(settings);
  const isNamed = (alg: Alg) => jweAlgs.some((each) => each === alg);
  const isOlder = (alg: Alg) => olderAlgorithms.some((each) => each === alg);
  return jwe ? algs.filter((alg) => isNamed(alg) || !isOlder(alg)) : [];
}

const clientPart = settingsPart<JweClientConfig>(settings.JweClientConfig);

export const jweClients: AddedClientSettings = {
  ...clientPart,
  check(config, { settings: { paths } }, report) {
    for (const kind of kinds) checkKind(config, kind, report);
    if (choiceOf(config, "introspection").alg && !Object.hasOwn(paths, "introspect")) {
      report("introspectionEncryptionAlg", "needs the introspection endpoint");
    }
  },
};

/** Returns how something is encrypted for a client. */
export function choiceOf(client: object, kind: EncryptedKind): {
  alg: DecryptionAlgorithm | undefined;
  enc: ContentEncryption | undefined;
} {
  const part = clientPart.of(client);
  const [alg, enc] = settingNames[kind];
  return { alg: part[alg], enc: part[enc] };
}

function checkKind(config: CoreClientConfig, kind: EncryptedKind, report: ReportProblem): void {
  const [algName, encName] = settingNames[kind];
  const { alg, enc } = choiceOf(config, kind);
  // Without `enc`, a registration means A128CBC-HS256, if that is offered.
  if (alg && !enc) {
    report(encName, `is missing; choose one of: ${contentAlgorithms.join(", ")}`);
  }
  if (enc && !alg) report(algName, "is missing, but the 'enc' for it is set");
  if (alg && kind !== "requestObject" && !canRead(config, alg)) {
    report(algName, `needs a key for ${alg} in the client's jwks`);
  }
}

/** Whether a client could read what is encrypted for it. */
function canRead({ jwks, jwksUri }: CoreClientConfig, alg: DecryptionAlgorithm): boolean {
  return jwksUri !== undefined || namedKeys(jwks?.keys ?? [], { alg }).length > 0;
}
