import { readUserCode } from "../../../server/features/device/user_code.ts";
import type { ValueForm } from "../../tokens/value_form.ts";

export const deviceForms: Readonly<Record<"userCode", ValueForm>> = {
  userCode: {
    holds: (value) => readUserCode(value) !== undefined,
    expected: "a user code has 8 of the letters BCDFGHJKLMNPQRSTVWXZ",
    toStored: readUserCode,
  },
};
