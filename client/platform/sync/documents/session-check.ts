import { listDogs } from '#shared/dogs/contract.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { call } from '../../http/api.ts';
import { askForUser } from '../../session/remembered-user.ts';

/** A sync server that hangs up is more often restarting than refusing, so the api is not asked each time. */
const EVERY_MS = 20_000;
/** A document that becomes read-only is replaced within a moment. */
const ASK_AFTER_MS = 1_000;

/** Asks the API about the session and the user when the sync server gives reason to. */
export class SessionCheck {
  #checkedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wasConnected = false;

  /** The sync server hung up. */
  async hungUp(code: number): Promise<void> {
    // Another document may have replaced one.
    if (code === closeCodes.rightsChanged) this.askSoon();
    if (Date.now() - this.#checkedAt < EVERY_MS) return;
    this.#checkedAt = Date.now();
    // `Auth` and the gate hear of a refusal, and ask again: until they know, edits are stored here.
    await call(listDogs).catch(() => {});
  }

  /** There is a connection. */
  connected(): void {
    // A document may have been replaced while there was none. At the start, the user was fetched anyway.
    if (this.#wasConnected) this.askSoon();
    this.#wasConnected = true;
  }

  /** Asks which documents the user has now, after the last of several reasons. */
  askSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(askForUser, ASK_AFTER_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
