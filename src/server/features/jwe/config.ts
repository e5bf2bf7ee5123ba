import { settingsPart } from "../../config/feature_config.ts";
import type { AddedClientSettings } from "../../config/offer.ts";
import type { ReportProblem } from "../../config/problems.ts";
import type { CoreClientConfig } from "../../model/client_config.ts";
import type { DecryptionAlgorithm } from "../../model/signing.ts";
import { namedKeys } from "../../protocol/client_key.ts";
import settings from "./settings.json" with { type: "json" };

/** How content is encrypted. */
export type ContentEncryption = "A128GCM" | "A256GCM";

/** What a server offers of encryption (RFC 7516). */
export interface JweConfig {
  /**
   * Whether clients may register for encrypted responses, and encrypt their request objects: the
   * server then publishes keys for that. A configured client that asks for encryption gets it in
   * any case.
   *
   * @default false
   */
  jwe?: boolean;
}

/** What is encrypted for a client, with a key that it publishes. */
export interface JweClientConfig {
  /**
   * Encrypts its ID tokens and logout tokens: the algorithm of the key.
   *
   * @default none: they are not encrypted
   */
  idTokenEncryptionAlg?: DecryptionAlgorithm;
  /** Encrypts the content of its ID tokens and logout tokens. */
  idTokenEncryptionEnc?: ContentEncryption;
  /**
   * Encrypts its userinfo responses: the algorithm of the key.
   *
   * @default none: they are not encrypted
   */
  userinfoEncryptionAlg?: DecryptionAlgorithm;
  /** Encrypts the content of its userinfo responses. */
  userinfoEncryptionEnc?: ContentEncryption;
  /**
   * Encrypts introspection responses when the client asks for a JWT (RFC 9701): the algorithm of
   * the key.
   *
   * @default none: they are not encrypted
   */
  introspectionEncryptionAlg?: DecryptionAlgorithm;
  /** Encrypts the content of introspection responses. */
  introspectionEncryptionEnc?: ContentEncryption;
  /**
   * Encrypts authorization responses in the `jwt` response modes (JARM): the algorithm of the key.
   *
   * @default none: they are not encrypted
   */
  authorizationResponseEncryptionAlg?: DecryptionAlgorithm;
  /** Encrypts the content of authorization responses. */
  authorizationResponseEncryptionEnc?: ContentEncryption;
  /**
   * The one algorithm of the key with which the client may encrypt its request objects.
   *
   * @default any that the server has
   */
  requestObjectEncryptionAlg?: DecryptionAlgorithm;
  /**
   * How the client may encrypt the content of its request objects.
   *
   * @default any that the server has
   */
  requestObjectEncryptionEnc?: ContentEncryption;
}

/** How something is encrypted for a client, as far as its settings name it. */
type EncryptionSettings = {
  alg: DecryptionAlgorithm | undefined;
  enc: ContentEncryption | undefined;
};

export const keyAlgorithms: readonly DecryptionAlgorithm[] = [
  "RSA-OAEP-256",
  "ECDH-ES",
  "ECDH-ES+A128KW",
  "ECDH-ES+A256KW",
];

export const contentAlgorithms: readonly ContentEncryption[] = ["A128GCM", "A256GCM"];

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

export const jweSettings = settingsPart<Required<JweConfig>>(settings.JweConfig);

const clientPart = settingsPart<JweClientConfig>(settings.JweClientConfig);

export const jweClients: AddedClientSettings = {
  ...clientPart,
  check(config, { endpoints }, report) {
    for (const kind of kinds) checkKind(config, kind, report);
    if (choiceOf(config, "introspection").alg && !endpoints.includes("introspect")) {
      report("introspectionEncryptionAlg", "needs the introspection endpoint");
    }
  },
};

/** Returns how something is encrypted for a client. */
export function choiceOf(client: object, kind: EncryptedKind): EncryptionSettings {
  const part = clientPart.of(client);
  const [alg, enc] = settingNames[kind];
  return { alg: part[alg], enc: part[enc] };
}

function checkKind(config: CoreClientConfig, kind: EncryptedKind, report: ReportProblem): void {
  const [algName, encName] = settingNames[kind];
  const { alg, enc } = choiceOf(config, kind);
  // Without `enc`, the specifications mean A128CBC-HS256, which this server does not have.
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
