// A request that is refused.

/** A refusal, with its reason for the page. */
export class Refused extends Error {
  constructor(status, message, reason) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}
