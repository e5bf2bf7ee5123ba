// The endpoints that few clients use. They load together, with the first request for one of them.

export {
  changeRegistration,
  endRegistration,
  register,
  showRegistration,
} from "./client_registration.ts";
