import { deviceParts } from "../../../server/features/device/parts.ts";
import { randomId, randomSecret } from "../../../server/issuer/random.ts";
import { fromNow } from "../../../server/issuer/time.ts";
import {
  copyAuthorization,
  isSpent,
  type SpendableCredential,
  unknownCredential,
} from "../replay/renew.ts";

/** A device code, which comes with what its user decided. */
export const deviceCode: SpendableCredential = {
  name: "device_code",
  what: "device code",
  async renew(ctx, spent) {
    const { deviceCodes, decisions, lifetime } = deviceParts(ctx);
    const row = await deviceCodes.getStored(spent);
    if (!row) return unknownCredential;
    const { value } = row;
    // The row outlives the code, so that the device learns that it expired.
    if (!isSpent(ctx, { ...row, expiresAt: value.device.expiresAt })) return undefined;
    const decision = (await decisions.getStored(value.device.id))?.value;
    if (!decision) return { why: "no user decided about its device" };
    if (decision.denied) return { why: "its user denied the request" };
    const copied = await copyAuthorization(ctx, decision);
    if ("why" in copied) return copied;
    const device = { id: randomId(ctx), expiresAt: fromNow(ctx, lifetime) };
    const secret = randomSecret(ctx);
    await decisions.add(device.id, { authorization: copied.id }, device.expiresAt);
    await deviceCodes.add(secret, { ...value, device }, device.expiresAt);
    return { secret };
  },
};
