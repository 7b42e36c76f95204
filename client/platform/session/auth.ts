import type { z } from 'zod';
import {
  createSession,
  logout,
  me,
  redirectUrl,
  type CurrentUser,
} from '#shared/session/contract.ts';
import { CallError, type caller } from '../http/api-client.ts';
import { Store } from '../store.ts';

export interface AuthState {
  /** Null if no one is signed in, or while that isn't known yet. */
  user: CurrentUser | null;
  /** True until the first fetch has settled. */
  isPending: boolean;
  /** True while a fetch is in flight. */
  isFetching: boolean;
}

/** The answer to a sign-in, without the user. */
type SignedIn = Pick<z.output<typeof createSession.answer>, 'has_profile'>;

export interface AuthSettings {
  call: ReturnType<typeof caller>;
  remembered: CurrentUser | null;
  remember: (user: CurrentUser | null) => void;
  /** Whether this browser may have a session; otherwise the server isn't asked for the user. */
  mayBeSignedIn: () => boolean;
  /** Whether a logout hasn't reached the server yet; it is sent before any other request. */
  isLogoutPending: () => boolean;
  markLogoutPending: (isPending: boolean) => void;
  navigate: (url: string) => void;
  /** Removes the local data of a user whose session ended other than by logout; keeps unsent changes. */
  removeEndedSession: (user: CurrentUser) => Promise<void>;
  /** Settles when no removal of this user's ended session is running. */
  untilRemoved: (userId: string) => Promise<void>;
  /** Removes a user's local data. */
  forgetLocalData: (userId: string) => Promise<void>;
}

/** Request timeout, so that a bad connection doesn't keep the screen waiting. */
const TIMEOUT_MS = 10_000;
/** A session counts as ended only if the server says so twice: another tab may be signing in. */
const ASK_AGAIN_MS = 500;
/** Our server's codes for an ended session. Any other 401 isn't from our server. */
const ENDED = new Set(['signed_out', 'account_deleted']);
const NO_CODE =
  'Cannot exchange code for session token: no code provided in the URL search params.';

const statusOf = (error: unknown) => (error instanceof CallError ? error.status : 0);

/** Knows who is signed in. A remembered user counts as signed in until the server says otherwise. */
export class Auth extends Store {
  #state: AuthState;
  readonly #settings: AuthSettings;
  #fetch: Promise<void> | null = null;
  #exchange: { search: string; done: Promise<SignedIn> } | null = null;
  /** Counts changes of the user, so that outdated answers are dropped. */
  #version = 0;

  constructor(settings: AuthSettings) {
    super();
    this.#settings = settings;
    this.#state = { user: settings.remembered, isPending: true, isFetching: false };
  }

  readonly getState = (): AuthState => this.#state;

  /** Asks the server who is signed in; simultaneous calls share one request. Never throws. */
  readonly fetchUser = (): Promise<void> => {
    if (this.#fetch) return this.#fetch;
    const asked = this.#runFetch().finally(() => {
      if (this.#fetch === asked) this.#fetch = null;
    });
    this.#fetch = asked;
    return asked;
  };

  /** Redirects to the identity provider; logs and throws a failure. @param isAgain whether the user confirms their identity */
  readonly redirectToLogin = async (loginHint?: string, isAgain = false): Promise<void> => {
    try {
      const query = { login_hint: loginHint, ...(isAgain && { again: 'true' }) };
      const answer = await this.#settings.call(redirectUrl, { query });
      this.#settings.navigate(answer.redirectUrl);
    } catch (error) {
      console.error(`Failed to get login redirect URL: ${reason(error)}`);
      throw error;
    }
  };

  /**
   * Exchanges the code in the address for a session; repeated calls share one request.
   * @returns whether the user has done the setup; undefined if the server doesn't say
   * @throws if there is no code or the server rejects it
   */
  readonly exchangeCodeForSessionToken = (search = location.search): Promise<SignedIn> => {
    if (this.#exchange?.search !== search)
      this.#exchange = { search, done: this.#trade(new URLSearchParams(search)) };
    return this.#exchange.done;
  };

  /** Signs out here at once, then on the server, and removes the user's local data. */
  readonly logout = async (): Promise<void> => {
    const { user } = this.#state;
    this.#settings.markLogoutPending(true);
    this.become(null);
    const failed = (what: string) => (error: unknown) =>
      console.error(`Failed to ${what}: ${reason(error)}`);
    await Promise.all([
      user && this.#settings.forgetLocalData(user.id).catch(failed('remove local data')),
      this.#sendLogout().catch(failed('logout')),
    ]);
  };

  /** Sets the user, such as after another tab signed in or out (null). */
  readonly become = (user: CurrentUser | null): void => {
    this.#version += 1;
    this.#settings.remember(user);
    // Keeps the same object for the same user, or every screen would render again.
    if (JSON.stringify(user) !== JSON.stringify(this.#state.user)) this.#set({ user });
  };

  /**
   * Records that the server has just granted access. A request in flight may not reflect it and could
   * otherwise send the user back to the gate.
   */
  readonly letIn = (access_expires_at: string): void => {
    const { user } = this.#state;
    if (user) this.become({ ...user, has_access: true, access_expires_at });
    this.#fetch = null;
    void this.fetchUser();
  };

  async #runFetch(): Promise<void> {
    const version = this.#version;
    this.#set({ isFetching: true });
    try {
      if (this.#settings.isLogoutPending()) await this.#sendLogout();
      if (this.#state.user || this.#settings.mayBeSignedIn()) {
        const user = await this.#fetchMe(version);
        if (version === this.#version) this.#signedIn(user);
      }
    } catch (error) {
      console.error(`Failed to fetch user: API responded with HTTP status ${statusOf(error)}`);
      if (isEnded(error) && version === this.#version) this.#end(error);
    }
    this.#set({ isFetching: false, isPending: false });
  }

  /** Fetches the user; asks once more if the server says that the known user is signed out. */
  async #fetchMe(version: number): Promise<CurrentUser> {
    const request = () => this.#settings.call(me, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    try {
      return await request();
    } catch (error) {
      if (!isEnded(error) || !this.#state.user || version !== this.#version) throw error;
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
      return request();
    }
  }

  /** Ends the session. Removes all local data of a deleted account, otherwise everything except unsent changes. */
  #end(refusal: CallError): void {
    const { user } = this.#state;
    this.become(null);
    if (!user) return;
    const removed =
      refusal.code === 'account_deleted'
        ? this.#settings.forgetLocalData(user.id)
        : this.#settings.removeEndedSession(user);
    removed.catch((error: unknown) =>
      console.error(`Failed to remove local data: ${reason(error)}`),
    );
  }

  /** Sets the signed-in user, and removes the local data of a previous one. */
  #signedIn(user: CurrentUser): void {
    const before = this.#state.user;
    this.become(user);
    if (!before || before.id === user.id) return;
    this.#settings
      .removeEndedSession(before)
      .catch((error: unknown) => console.error(`Failed to remove local data: ${reason(error)}`));
  }

  async #trade(search: URLSearchParams): Promise<SignedIn> {
    try {
      const code = search.get('code');
      if (!code) throw new Error(NO_CODE);
      const { user, has_profile } = await this.#settings.call(createSession, {
        body: { code, state: search.get('state') ?? undefined },
      });
      this.#settings.markLogoutPending(false);
      await this.#settings.untilRemoved(user.id);
      this.#signedIn(user);
      await this.fetchUser();
      return { has_profile };
    } catch (error) {
      console.error(`Failed to exchange code for session token: ${reason(error)}`);
      throw error;
    }
  }

  async #sendLogout(): Promise<void> {
    await this.#settings.call(logout, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    this.#settings.markLogoutPending(false);
  }

  #set(change: Partial<AuthState>): void {
    this.#state = { ...this.#state, ...change };
    this.notify();
  }
}

const isEnded = (error: unknown): error is CallError =>
  error instanceof CallError && error.status === 401 && ENDED.has(error.code);

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));
