import { type Der, derTags } from "../../util/bytes/der.ts";
import { readBase64 } from "../../util/bytes/pem.ts";

const certificateBlocks = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g;

/** Returns the certificates of a text in PEM; undefined if one is malformed. */
export function readPemCertificates(text: string): Der[] | undefined {
  const blocks = [...text.matchAll(certificateBlocks)];
  const read = blocks.map(([, base64 = ""]) => readBase64Certificate(base64));
  return read.every((der) => der !== undefined) ? read : undefined;
}

/** Returns a certificate in base64, if it is a whole sequence in DER. Its content is not read. */
export function readBase64Certificate(base64: string): Der | undefined {
  const der = readBase64(base64);
  const [tag, sizeOfLength, high = 0, low = 0] = der ?? [];
  const size = sizeOfLength === 0x81 ? 3 + high : 4 + high * 0x100 + low;
  return tag === derTags.sequence && der?.length === size ? der : undefined;
}
