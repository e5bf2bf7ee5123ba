/** The scopes of OpenID Connect, with what the consent page says of them. */
export const openIdScopes: Readonly<Record<string, string>> = {
  openid: "Know who you are",
  profile: "See your name, picture and other parts of your profile",
  email: "See your e-mail address",
  address: "See your postal address",
  phone: "See your telephone number",
  offline_access: "Keep this access while you are away, until you take it back",
};
