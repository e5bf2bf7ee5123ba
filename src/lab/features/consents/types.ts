export type { ConsentFilter, ConsentTools, LabConsent, ListedConsent } from "./list_consents.ts";
