/** A consent that the user gives in the current request. */
export interface GivenConsent {
  /** The mark of the user's last withdrawal before the request was handled. */
  lastWithdrawal: string | undefined;
}
