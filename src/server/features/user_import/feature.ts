import type { Feature } from "../../feature.ts";
import { lazyModule } from "../../util/lazy_module.ts";

const { verifyImported } = lazyModule(() => import("./verify_imported.ts"));

/** Users sign in with the passwords that another program hashed. */
export const userImport: Feature = {
  name: "imported users",
  verifyPassword: (ctx, user, password) =>
    ctx.settings.policies.passwords.isHash(user.passwordHash ?? "")
      ? undefined
      : verifyImported(ctx, user, password),
};
